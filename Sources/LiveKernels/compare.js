// SPDX-License-Identifier: Apache-2.0
//
// Compares the page's kernels with the engine's:   node compare.js <folder>
//
// The folder holds the compressed module in Base64 (kernels.txt) and, in problems.json, records
// with the engine's answers. Floats that came through functions of the C library may differ by
// 2^-20 of their value: a browser's exponential is another one.
"use strict";
const fs = require("node:fs");
const path = require("node:path");
const vm = require("node:vm");

const folder = process.argv[2];
const source = fs.readFileSync(path.join(__dirname, "../CPageResources/record.js"), "utf8");
vm.runInThisContext(source + "\nglobalThis.live = { reader, decoded, loadedKernels };");

function differs(answer, expected, isApproximate) {
  if (Buffer.compare(answer, expected) === 0) return false;
  if (!isApproximate || answer.length !== expected.length) return true;
  const values = [answer, expected].map((bytes) => {
    const read = live.reader(bytes);
    if (read.word() !== 0) return [NaN];
    read.word();
    return Array.from(read.tensor().values);
  });
  return values[0].some((value, index) =>
    !(Math.abs(value - values[1][index]) <= 2 ** -20 * Math.abs(values[1][index])));
}

/// The first line of two texts that is not the same.
function firstDifference(...texts) {
  const [ours, theirs] = texts.map((text) => new TextDecoder().decode(text).split("\n"));
  const index = ours.findIndex((line, index) => line !== theirs[index]);
  return `  in the page: ${ours[index]}\n  in the engine: ${theirs[index]}`;
}

(async () => {
  const kernels = live.decoded(fs.readFileSync(path.join(folder, "kernels.txt"), "utf8"));
  const call = await live.loadedKernels(kernels);
  const problems = JSON.parse(fs.readFileSync(path.join(folder, "problems.json"), "utf8"));
  let failed = 0;
  for (const problem of problems) {
    const record = live.decoded(problem.record);
    const answer = await call("martlet_evaluate", record);
    const parts = [differs(answer, live.decoded(problem.answer), problem.isApproximate)];
    const derivation = await call("martlet_derivation", record, problem.element);
    parts.push(Buffer.compare(derivation, live.decoded(problem.derivation)) !== 0);
    if (parts.some(Boolean)) {
      failed += 1;
      console.log(`${problem.name}: ${parts[0] ? "another answer" : "another derivation"}`);
      if (!parts[0]) console.log(firstDifference(derivation, live.decoded(problem.derivation)));
    }
  }
  console.log(`${problems.length - failed} of ${problems.length} problems agree`);
  process.exitCode = failed ? 1 : 0;
})();
