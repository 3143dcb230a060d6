import { startBuildWhenStale, type BackgroundBuild } from "@gateway/process";
import { join } from "node:path";
import { hashPageInputs } from "./hash-inputs.ts";

const buildScript = join(import.meta.dirname, "../build.ts");

/** Builds the page when it is missing or its sources have changed since. */
export function startPageBuild(folder: string, print: (line: string) => void): Promise<BackgroundBuild> {
  return startBuildWhenStale({
    folder,
    inputs: hashPageInputs,
    script: buildScript,
    args: [`--out=${folder}`],
    name: "The console",
    print,
  });
}
