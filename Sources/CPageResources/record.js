// SPDX-License-Identifier: Apache-2.0
//
// Records of nodes, and the kernels that compute them: Martlet's reference kernels as WebAssembly.
"use strict";

// Words and tensors of a record; see LiveNode.
const elements = {
  0: { view: Float32Array, lowest: -Infinity, highest: Infinity, name: "FLOAT32" },
  2: { view: Int32Array, lowest: -(2 ** 31), highest: 2 ** 31 - 1, name: "INT32" },
  3: { view: Uint8Array, lowest: 0, highest: 255, name: "UINT8" },
  9: { view: Int8Array, lowest: -128, highest: 127, name: "INT8" },
};

function reader(bytes) {
  const data = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  let at = 0;
  const word = () => data.getInt32((at += 4) - 4, true);
  const words = (count) => Array.from({ length: count }, word);
  const skip = () => {
    const count = word();
    const start = at;
    at += count + ((4 - (count % 4)) % 4);
    return { start, count };
  };
  const tensor = () => {
    const code = word();
    if (code === -1) return null;
    word();
    const shape = words(word());
    const scaleCount = word();
    const axis = word();
    const scales = words(scaleCount).map((bits) =>
      new Float32Array(new Int32Array([bits]).buffer)[0]);
    const zeroPoints = words(scaleCount);
    const { start, count } = skip();
    const element = elements[code];
    // Values lie at multiples of four bytes: a typed array can be laid over them.
    const values = element &&
      new element.view(bytes.buffer, bytes.byteOffset + start,
        count / element.view.BYTES_PER_ELEMENT);
    return { code, element, shape, axis, scales, zeroPoints, values };
  };
  const text = () => {
    const { start, count } = skip();
    return new TextDecoder().decode(bytes.subarray(start, start + count));
  };
  return { word, skip, tensor, text };
}

const decoded = (text) => Uint8Array.from(atob(text.replace(/\s/g, "")), (c) => c.charCodeAt(0));

async function loadedKernels(packedBytes) {
  const packed = new Blob([packedBytes]).stream();
  const stream = packed.pipeThrough(new DecompressionStream("deflate"));
  const bytes = await new Response(stream).arrayBuffer();
  const module = await WebAssembly.compile(bytes);
  const env = {};
  for (const { name } of WebAssembly.Module.imports(module)) {
    env[name] = Math[name] || ((...x) => Math.fround(Math[name.slice(0, -1)](...x)));
  }
  // Every call gets an instance, and with it memory, of its own.
  return async (name, record, ...rest) => {
    const { exports } = await WebAssembly.instantiate(module, { env });
    const address = exports.martlet_allocate(record.length);
    new Uint8Array(exports.memory.buffer).set(record, address);
    const answer = exports[name](address, record.length, ...rest);
    const memory = exports.memory.buffer;
    const count = new DataView(memory).getInt32(answer, true);
    return new Uint8Array(memory.slice(answer + 4, answer + 4 + count));
  };
}

/// The operator's code and the inputs of a record; their values are the record's own bytes.
function nodeOf(record) {
  const read = reader(record);
  const code = read.word();
  read.word();
  read.word();
  read.skip();
  return { code, inputs: Array.from({ length: read.word() }, read.tensor) };
}
