"""Reads files with Python's own readers: read-plain.py mail|csv|api FILE … prints text, HTML and cells of each file as JSON."""

import csv
import email
import email.policy
import html
import json
import mailbox
import re
import sys


def message(one):
    """Subject, people, text (HTML if there is some), names of attachments, and messages in the message."""
    defects = [type(defect).__name__ for part in one.walk() for defect in part.defects]
    if defects:
        raise ValueError(f"damaged: {defects}")
    found = [one["subject"] or "", one["from"] or "", one["to"] or ""]
    parts = []
    collect(one, parts)
    return "\n".join(map(str, found)) + "\n" + "\n".join(text for text, _ in parts), "\n".join(html for _, html in parts)


def collect(part, parts):
    kind = part.get_content_type()
    if kind == "multipart/alternative":
        ways = list(part.iter_parts())
        last = [way for way in ways if any(p.get_content_type() == "text/html" for p in way.walk())]
        return [collect(way, parts) for way in last[-1:] or ways]
    if part.get_content_maintype() == "message" and part.is_multipart():
        inner = part.get_payload()
        if kind in ("message/rfc822", "message/global", "message/news"):
            return parts.append(message(inner[0]))
        return parts.append(("\n".join(str(value) for one in inner for value in one.values()), ""))
    if part.is_multipart():
        return [collect(one, parts) for one in part.iter_parts()]
    if part.get_filename():
        return parts.append((part.get_filename(), ""))
    if part.get_content_maintype() == "text":
        text = part.get_content()
        parts.append(("", text) if kind == "text/html" else (text, ""))


def mail(path):
    if path.endswith(".mbox"):
        box = mailbox.mbox(path, factory=lambda file: email.message_from_binary_file(file, policy=email.policy.default))
        both = [message(one) for one in box]
    else:
        with open(path, "rb") as file:
            both = [message(email.message_from_bytes(file.read().removeprefix(b"\xef\xbb\xbf"), policy=email.policy.default))]
    text, page = ("\n".join(side) for side in zip(*both))
    if "\ufffd" in text + page:
        raise ValueError("bytes that are not of the encoding it names")
    return {"text": text, "html": page}


def table(path):
    with open(path, encoding="utf-8-sig", newline="") as file:
        rows = list(csv.reader(file, delimiter="\t" if path.endswith(".tsv") else ","))
    cells = [cell for row in rows for cell in row if cell.strip()]
    return {"text": "\n".join(cells), "cells": cells}


TEXTS = {"description", "summary", "title", "name", "operationId"}
NAMES = {"properties", "paths", "channels", "schemas", "definitions", "$defs"}
VALUES = {"example", "examples", "default", "enum", "const", "value", "payloadExample"}


def letters(text):
    return re.sub(r"[\W_]", "", text.lower())


def texts(node, key="", name_of=""):
    """Names and texts of a description of an API, each where it is written. A title that is the name in other letters is none."""
    if isinstance(node, list):
        return [text for one in node for text in texts(one)]
    if not isinstance(node, dict):
        return []
    found = []
    for name, value in node.items():
        if key in NAMES:
            found += [str(name), *texts(value, "", str(name))]
        elif name in TEXTS and isinstance(value, str):
            if name != "title" or letters(value) != letters(name_of):
                found.append(value)
        elif name not in VALUES and not str(name).startswith("x-"):
            found += texts(value, name)
    return found


def api(path):
    import yaml

    with open(path, encoding="utf-8-sig") as file:
        text = file.read()
    data = json.loads(text) if path.endswith("json") else yaml.load(text, Loader=yaml.CSafeLoader)
    words = html.unescape("\n".join(texts(data)))
    links = re.compile(r"\]\((?:[^()\s]|\([^()]*\))*\)")
    return {"text": links.sub("]", re.sub(r"</?[a-zA-Z][^<>]*>", " ", words))}


read = {"mail": mail, "csv": table, "api": api}[sys.argv[1]]
found = {}
for path in sys.argv[2:]:
    try:
        found[path] = {"headings": [], "cells": [], "html": "", **read(path)}
    except Exception as error:
        sys.stderr.write(f"{path}: {error}\n")
print(json.dumps(found))
