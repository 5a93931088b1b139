"""Failures as Qdrant answers them."""


class Failure(Exception):
    """A request that is refused: a status and what Qdrant says."""

    def __init__(self, status: int, message: str) -> None:
        super().__init__(message)
        self.status = status
        self.message = message


def bad_request(message: str) -> Failure:
    return Failure(400, f"Bad request: {message}")


def wrong_input(message: str, status: int = 400) -> Failure:
    return Failure(status, f"Wrong input: {message}")


def invalid(message: str) -> Failure:
    return Failure(422, f"Validation error in JSON body: [{message}]")


def not_found(message: str) -> Failure:
    return Failure(404, f"Not found: {message}")
