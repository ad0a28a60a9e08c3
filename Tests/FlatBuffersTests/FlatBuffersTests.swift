// FlatBuffers
