# SPDX-License-Identifier: Apache-2.0
"""TFLite Metadata (schema 1.5) for an image classifier: written, appended and read back.

The tables are built slot by slot, since no generated code for the metadata schema is at hand;
`read_back` shares nothing with the writer (it follows offsets itself), so that a slip in one
shows in the other.
"""

import io
import struct
import zipfile

import flatbuffers
import numpy as np
from ai_edge_litert import schema_py_generated as schema

LABELS = "labels.txt"
# Slots of the metadata schema's tables, in order.
MODEL = "name description version subgraph_metadata author license associated_files min_parser"
SUBGRAPH = "name description inputs outputs"
TENSOR = "name description dimension_names content process_units stats associated_files"
# Members of unions and enumerations.
FEATURE_PROPERTIES, IMAGE_PROPERTIES = 1, 2
NORMALIZATION, SCORE_THRESHOLDING = 1, 3
RGB, TENSOR_AXIS_LABELS = 1, 2


class Writer:
    """Tables and vectors on top of the FlatBuffers builder."""

    def __init__(self):
        self.builder = flatbuffers.Builder(1024)

    def text(self, value):
        return self.builder.CreateString(value)

    def floats(self, *values):
        return self.builder.CreateNumpyVector(np.array(values, np.float32))

    def offsets(self, *values):
        self.builder.StartVector(4, len(values), 4)
        for value in reversed(values):
            self.builder.PrependUOffsetTRelative(value)
        return self.builder.EndVector()

    def table(self, **slots):
        """A table; keys are kind and slot, as in offset_3 or byte_0."""
        self.builder.StartObject(1 + max([int(key.split("_")[1]) for key in slots], default=-1))
        put = {
            "offset": self.builder.PrependUOffsetTRelativeSlot,
            "byte": self.builder.PrependUint8Slot,
            "count": self.builder.PrependUint32Slot,
            "float": self.builder.PrependFloat32Slot,
        }
        for key, value in slots.items():
            kind, slot = key.split("_")
            put[kind](int(slot), value, 0)
        return self.builder.EndObject()

    def model(self, name, description, version, parser, graph=None):
        """The whole buffer, with what it says about a subgraph, of a model that is ours."""
        slots = {
            "offset_0": self.text(name),
            "offset_1": self.text(description),
            "offset_2": self.text(version),
        }
        if graph is not None:
            slots["offset_3"] = self.offsets(graph)
        slots["offset_4"] = self.text("Martlet contributors")
        slots["offset_5"] = self.text("Apache-2.0")
        slots["offset_7"] = self.text(parser)
        self.builder.Finish(self.table(**slots), b"M001")
        return bytes(self.builder.Output())


def input_tensor(writer, size, mean, std):
    extent = writer.table(count_0=size, count_1=size)
    image = writer.table(byte_0=RGB, offset_1=extent)
    content = writer.table(byte_0=IMAGE_PROPERTIES, offset_1=image)
    scaling = writer.table(offset_0=writer.floats(mean), offset_1=writer.floats(std))
    unit = writer.table(byte_0=NORMALIZATION, offset_1=scaling)
    stats = writer.table(offset_0=writer.floats(1), offset_1=writer.floats(0))
    return writer.table(
        offset_0=writer.text("picture"),
        offset_1=writer.text("An RGB picture of one handwritten digit that fills it."),
        offset_3=content,
        offset_4=writer.offsets(unit),
        offset_5=stats,
    )


def output_tensor(writer):
    content = writer.table(byte_0=FEATURE_PROPERTIES, offset_1=writer.table())
    threshold = writer.table(float_0=0.0)
    unit = writer.table(byte_0=SCORE_THRESHOLDING, offset_1=threshold)
    stats = writer.table(offset_0=writer.floats(1), offset_1=writer.floats(0))
    labels = writer.table(
        offset_0=writer.text(LABELS),
        offset_1=writer.text("The digit of each probability."),
        byte_2=TENSOR_AXIS_LABELS,
    )
    return writer.table(
        offset_0=writer.text("probability"),
        offset_1=writer.text("How probable each digit is."),
        offset_3=content,
        offset_4=writer.offsets(unit),
        offset_5=stats,
        offset_6=writer.offsets(labels),
    )


def metadata(name, description, version, size, mean, std):
    """The metadata buffer of a classifier with one image in and one row of scores out."""
    writer = Writer()
    input_image, probability = input_tensor(writer, size, mean, std), output_tensor(writer)
    graph = writer.table(
        offset_0=writer.text("main"),
        offset_2=writer.offsets(input_image),
        offset_3=writer.offsets(probability),
    )
    return writer.model(name, description, version, "1.0.0", graph)


def pack_aligned(self, builder):
    """Stands in for BufferT.Pack, which ignores the schema's force_align of 16."""
    data = None
    if self.data is not None and len(self.data):
        raw = np.asarray(self.data, np.uint8).tobytes()
        builder.StartVector(1, len(raw), 16)
        builder.head -= len(raw)
        builder.Bytes[builder.head : builder.head + len(raw)] = raw
        data = builder.EndVector()
    schema.BufferStart(builder)
    if data is not None:
        schema.BufferAddData(builder, data)
    return schema.BufferEnd(builder)


def attach(model, content, labels):
    """The model with its metadata inside and the label file in a zip archive behind it."""
    tables = schema.ModelT.InitFromPackedBuf(model, 0)
    tables.metadata = [m for m in tables.metadata or [] if m.name != b"TFLITE_METADATA"]
    buffer, entry = schema.BufferT(), schema.MetadataT()
    buffer.data = np.frombuffer(content, np.uint8)
    entry.name, entry.buffer = "TFLITE_METADATA", len(tables.buffers)
    tables.buffers.append(buffer)
    tables.metadata.append(entry)
    schema.BufferT.Pack = pack_aligned
    builder = flatbuffers.Builder(len(model) + len(content))
    builder.Finish(tables.Pack(builder), b"TFL3")
    stream = io.BytesIO(bytes(builder.Output()))
    with zipfile.ZipFile(stream, "a", zipfile.ZIP_STORED) as archive:
        info = zipfile.ZipInfo(LABELS, (1980, 1, 1, 0, 0, 0))
        info.create_system, info.external_attr = 3, 0o100644 << 16
        archive.writestr(info, labels)
    return stream.getvalue()


class Reader:
    """A table of a FlatBuffer, read with nothing but `struct`."""

    def __init__(self, data, position):
        self.data, self.position = data, position

    def number(self, layout, position):
        return struct.unpack_from("<" + layout, self.data, position)[0]

    def field(self, slot):
        vtable = self.position - self.number("i", self.position)
        entry = 4 + 2 * slot
        if entry + 2 > self.number("H", vtable):
            return None
        offset = self.number("H", vtable + entry)
        return self.position + offset if offset else None

    def scalar(self, slot, layout="B"):
        place = self.field(slot)
        return 0 if place is None else self.number(layout, place)

    def table(self, slot):
        place = self.field(slot)
        return None if place is None else Reader(self.data, place + self.number("I", place))

    def text(self, slot):
        start = self.table(slot)
        if start is None:
            return None
        length = self.number("I", start.position)
        return self.data[start.position + 4 : start.position + 4 + length].decode()

    def items(self, slot, layout=None):
        start = self.table(slot)
        count = self.number("I", start.position) if start else 0
        places = [start.position + 4 + 4 * index for index in range(count)]
        if layout:
            return [self.number(layout, place) for place in places]
        return [Reader(self.data, place + self.number("I", place)) for place in places]


def read_back(model):
    """What a reader of the file finds, as plain values."""
    root = Reader(model, struct.unpack_from("<I", model)[0])
    # Model: 4 buffers, 6 metadata; Metadata: 0 name, 1 buffer; Buffer: 0 data.
    (entry,) = [m for m in root.items(6) if m.text(0) == "TFLITE_METADATA"]
    data = root.items(4)[entry.scalar(1, "I")].table(0)
    length = data.number("I", data.position)
    content = model[data.position + 4 : data.position + 4 + length]
    top = Reader(content, struct.unpack_from("<I", content)[0])
    facts = {key: top.text(slot) for slot, key in enumerate(MODEL.split()) if slot not in (3, 6)}
    (graph,) = top.items(3)
    (input_image,), (probability,) = graph.items(2), graph.items(3)
    image, unit = input_image.table(3).table(1), input_image.items(4)[0]
    (labels,) = probability.items(6)
    archive = zipfile.ZipFile(io.BytesIO(model))
    return facts | {
        "identifier": content[4:8],
        "input": input_image.text(0),
        "content": input_image.table(3).scalar(0),
        "color_space": image.scalar(0),
        "size": [image.table(1).scalar(slot, "I") for slot in (0, 1)],
        "mean": unit.table(1).items(0, "f"),
        "std": unit.table(1).items(1, "f"),
        "process_units": [unit.scalar(0), probability.items(4)[0].scalar(0)],
        "output": probability.text(0),
        "labels": [labels.text(0), labels.scalar(2)],
        "files": {i.filename: (i.compress_type, archive.read(i)) for i in archive.infolist()},
    }
