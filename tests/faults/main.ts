/**
 * `npm run test:faults -- [kind ...] [--jobs 2]`: applies each seeded fault to a checkout of HEAD and runs the suite
 * that its header names. Prints a row for each fault and the tier that turned red. A fault that its suite does not find
 * survives, and the exit status is 1.
 */
import { parseArgs } from "node:util";
import { createFaultTree, type FaultTree } from "./fault-tree.ts";
import { readFaults, type Fault } from "./read-faults.ts";

const { values, positionals } = parseArgs({
  options: { jobs: { type: "string", default: "2" } },
  allowPositionals: true,
});
const faults = readFaults().filter(({ kind, name }) =>
  positionals.length === 0 ? true : positionals.some((one) => one === kind || one === `${kind}/${name}`),
);
const survivors: string[] = [];

process.exitCode = (await tryAll(Number(values.jobs))) ? 0 : 1;

async function tryAll(jobs: number): Promise<boolean> {
  const trees: FaultTree[] = [];
  try {
    // One after the other: two `git worktree add` at once read each other's half-written files.
    while (trees.length < jobs) {
      trees.push(await createFaultTree());
    }
    if (!(await areGreen(trees))) {
      return false;
    }
    const queue = [...faults];
    await Promise.all(trees.map((tree) => work(tree, queue)));
  } finally {
    for (const tree of trees) {
      await tree.remove();
    }
  }
  console.log(`\n${faults.length - survivors.length} of ${faults.length} faults were found.`);
  for (const survivor of survivors) {
    console.log(`Survived: ${survivor}`);
  }
  return survivors.length === 0;
}

/** A suite that is red without a fault would find everything. */
async function areGreen([tree]: readonly FaultTree[]): Promise<boolean> {
  const suites = [...new Set(faults.map(({ foundBy }) => foundBy))];
  const result = await tree?.runSuites(suites);
  if (!result || result.failed > 0 || result.passed === 0) {
    console.error(`Without a fault, the suites are not green: ${result?.firstFailure ?? "no test ran"}.`);
    return false;
  }
  console.log(`Without a fault: ${suites.length} suites, ${result.passed} tests passed.\n`);
  return true;
}

async function work(tree: FaultTree, queue: Fault[]): Promise<void> {
  for (let fault = queue.shift(); fault; fault = queue.shift()) {
    await tryFault(tree, fault);
  }
}

async function tryFault(tree: FaultTree, { kind, name, file, foundBy, tier }: Fault): Promise<void> {
  await tree.apply(file);
  try {
    const { failed, firstFailure } = await tree.runSuites([foundBy]);
    if (failed === 0) {
      survivors.push(`${kind}/${name}, which ${foundBy} should find`);
    }
    const verdict = failed > 0 ? `${tier} turned red` : "SURVIVED";
    console.log(`${kind}/${name}: ${verdict}${firstFailure === null ? "" : ` (${failed}): ${firstFailure}`}`);
  } finally {
    await tree.revert();
  }
}
