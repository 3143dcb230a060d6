import type { Profiler } from "node:inspector";
import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";

/** Flags for a server that writes a profile into the folder as it ends. The interval is in µs between two samples. */
export const profileArguments = (folder: string): readonly string[] => [
  "--cpu-prof",
  "--cpu-prof-interval=250",
  `--cpu-prof-dir=${folder}`,
];

type Frame = Profiler.ProfileNode["callFrame"];

/**
 * The time of functions for which `isWithin` holds, including their calls, divided by all other time that was not idle.
 * It reads the one profile in the folder, and only its last `seconds`. Another program on the machine makes both times
 * longer, but not their ratio.
 */
export async function readShare(
  folder: string,
  { seconds, isWithin }: { seconds: number; isWithin(frame: Frame): boolean },
): Promise<number> {
  const [file] = (await readdir(folder)).filter((name) => name.endsWith(".cpuprofile"));
  if (file === undefined) {
    throw new Error(`No profile was written into ${folder}.`);
  }
  // Node wrote it.
  const profile = JSON.parse(await readFile(join(folder, file), "utf8")) as Profiler.Profile;
  const within = findWithin(profile.nodes, isWithin);
  const idle = new Set(
    profile.nodes.filter(({ callFrame }) => callFrame.functionName === "(idle)").map(({ id }) => id),
  );
  const fromMicros = profile.endTime - seconds * 1e6;
  let atMicros = profile.startTime;
  let [inside, outside] = [0, 0];
  for (const [index, id] of (profile.samples ?? []).entries()) {
    const tookMicros = profile.timeDeltas?.[index] ?? 0;
    atMicros += tookMicros;
    if (atMicros < fromMicros || idle.has(id)) {
      continue;
    }
    if (within.has(id)) {
      inside += tookMicros;
    } else {
      outside += tookMicros;
    }
  }
  return inside / outside;
}

/** Nodes of such functions, and of the functions that these called. */
function findWithin(nodes: readonly Profiler.ProfileNode[], isWithin: (frame: Frame) => boolean): Set<number> {
  const byId = new Map(nodes.map((node) => [node.id, node]));
  const found = new Set<number>();
  const add = (id: number): void => {
    if (!found.has(id)) {
      found.add(id);
      byId.get(id)?.children?.forEach(add);
    }
  };
  nodes.filter(({ callFrame }) => isWithin(callFrame)).forEach(({ id }) => add(id));
  return found;
}
