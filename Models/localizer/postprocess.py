# SPDX-License-Identifier: Apache-2.0
"""The custom operator behind the network, and the file's metadata.

TensorFlow's converter has no Keras layer for `TFLite_Detection_PostProcess`, so the operator, its
anchors and its four outputs are added to the converted file's tables. The tables of the metadata
are built with the writer of the digits beside this folder.
"""

import os
import sys

import flatbuffers
import numpy as np
from ai_edge_litert import schema_py_generated as schema
from flatbuffers import flexbuffers

sys.path.append(os.path.join(os.path.dirname(os.path.abspath(__file__)), os.pardir, "digits"))

import metadata as digits_metadata

MOST = 25
SCALES = (10.0, 10.0, 5.0, 5.0)
OPTIONS = {
    "max_detections": MOST,
    "max_classes_per_detection": 1,
    "detections_per_class": 100,
    "use_regular_nms": False,
    "nms_score_threshold": 0.01,
    "nms_iou_threshold": 0.5,
    "num_classes": 1,
    "y_scale": SCALES[0],
    "x_scale": SCALES[1],
    "h_scale": SCALES[2],
    "w_scale": SCALES[3],
}
OUTPUTS = (
    ("boxes", [1, MOST, 4], "Where objects are: ymin, xmin, ymax, xmax in parts of the picture."),
    ("classes", [1, MOST], "Always 0: the network tells objects from background only."),
    ("scores", [1, MOST], "How sure the network is of each box, best first."),
    ("count", [1], "How many rows of the other outputs are filled."),
)
FLOAT32, CUSTOM = 0, 32
BOUNDING_BOX_PROPERTIES, BOUNDARIES = 3, 1


def tensor(tables, name, shape, data=None):
    """Adds a float tensor to the only subgraph; returns its index."""
    graph, row = tables.subgraphs[0], schema.TensorT()
    row.name, row.shape, row.type, row.buffer = name.encode(), shape, FLOAT32, 0
    if data is not None:
        buffer = schema.BufferT()
        buffer.data = np.frombuffer(data.astype("<f4").tobytes(), np.uint8)
        row.buffer = len(tables.buffers)
        tables.buffers.append(buffer)
    graph.tensors.append(row)
    return len(graph.tensors) - 1


def signature(inputs, outputs):
    """A signature that names the inputs and outputs given as (name, index)."""

    def mapped(pairs):
        rows = []
        for name, index in pairs:
            row = schema.TensorMapT()
            row.name, row.tensorIndex = name.encode(), index
            rows.append(row)
        return rows

    row = schema.SignatureDefT()
    row.signatureKey, row.subgraphIndex = b"serving_default", 0
    row.inputs, row.outputs = mapped(inputs), mapped(outputs)
    return row


def attach(model, anchors, description, version, size, threshold):
    """The converted network with the operator behind it and metadata inside."""
    tables = schema.ModelT.InitFromPackedBuf(bytearray(model), 0)
    graph = tables.subgraphs[0]
    found = {int(graph.tensors[index].shape[-1]): index for index in graph.outputs}
    places = tensor(tables, "anchors", list(anchors.shape), anchors)
    made = [(name, tensor(tables, name, shape)) for name, shape, _ in OUTPUTS]
    code, operator = schema.OperatorCodeT(), schema.OperatorT()
    code.builtinCode, code.deprecatedBuiltinCode = CUSTOM, CUSTOM
    code.customCode, code.version = b"TFLite_Detection_PostProcess", 1
    operator.opcodeIndex = len(tables.operatorCodes)
    operator.inputs, operator.outputs = [found[4], found[1], places], [i for _, i in made]
    operator.customOptions = np.frombuffer(bytes(flexbuffers.Dumps(OPTIONS)), np.uint8)
    tables.operatorCodes.append(code)
    graph.operators.append(operator)
    graph.outputs = operator.outputs
    graph.tensors[graph.inputs[0]].name = b"picture"
    tables.signatureDefs = [signature([("picture", graph.inputs[0])], made)]
    tables.description = b"Martlet localizer"
    entry, buffer = schema.MetadataT(), schema.BufferT()
    buffer.data = np.frombuffer(metadata(description, version, size, threshold), np.uint8)
    entry.name, entry.buffer = "TFLITE_METADATA", len(tables.buffers)
    tables.buffers.append(buffer)
    tables.metadata = [entry]
    schema.BufferT.Pack = digits_metadata.pack_aligned
    builder = flatbuffers.Builder(len(model) + 65536)
    builder.Finish(tables.Pack(builder), b"TFL3")
    return bytes(builder.Output())


def metadata(description, version, size, threshold):
    """TFLite Metadata of a detector: one image in; boxes, classes, scores, count out."""
    writer = digits_metadata.Writer()
    input_image = input_tensor(writer, size)
    outputs = [output_tensor(writer, *row, threshold) for row in OUTPUTS]
    names = [writer.text(name) for name, _, _ in OUTPUTS[:3]]
    group = writer.table(offset_0=writer.text("detections"), offset_1=writer.offsets(*names))
    graph = writer.table(
        offset_0=writer.text("main"),
        offset_2=writer.offsets(input_image),
        offset_3=writer.offsets(*outputs),
        offset_8=writer.offsets(group),
    )
    return writer.model("Martlet localizer", description, version, "1.2.0", graph)


def input_tensor(writer, size):
    extent = writer.table(count_0=size, count_1=size)
    image = writer.table(byte_0=digits_metadata.RGB, offset_1=extent)
    content = writer.table(byte_0=digits_metadata.IMAGE_PROPERTIES, offset_1=image)
    scaling = writer.table(offset_0=writer.floats(0), offset_1=writer.floats(255))
    unit = writer.table(byte_0=digits_metadata.NORMALIZATION, offset_1=scaling)
    stats = writer.table(offset_0=writer.floats(1), offset_1=writer.floats(0))
    return writer.table(
        offset_0=writer.text("picture"),
        offset_1=writer.text("An RGB picture, stretched to a square."),
        offset_3=content,
        offset_4=writer.offsets(unit),
        offset_5=stats,
    )


def output_tensor(writer, name, shape, description, threshold):
    """The table of one output; the scores carry the threshold, the boxes their format."""
    slots = {}
    if name == "boxes":
        writer.builder.StartVector(4, 4, 4)
        for index in (2, 3, 0, 1):
            writer.builder.PrependUint32(index)
        order = writer.builder.EndVector()
        format = writer.table(offset_0=order, byte_1=BOUNDARIES)
        bounds = writer.table(count_0=2, count_1=2)
        slots["offset_3"] = writer.table(
            byte_0=BOUNDING_BOX_PROPERTIES, offset_1=format, offset_2=bounds
        )
    else:
        feature = writer.table()
        slots["offset_3"] = writer.table(
            byte_0=digits_metadata.FEATURE_PROPERTIES, offset_1=feature
        )
    if name == "scores":
        limit = writer.table(float_0=threshold)
        unit = writer.table(byte_0=digits_metadata.SCORE_THRESHOLDING, offset_1=limit)
        slots["offset_4"] = writer.offsets(unit)
    return writer.table(
        offset_0=writer.text(name), offset_1=writer.text(description), **slots
    )
