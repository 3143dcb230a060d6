import { startBuildWhenStale, type BackgroundBuild, hashInputs } from "@gateway/process";
import { join } from "node:path";
import { openapi } from "@gateway/contract";
import { repository } from "../folders.ts";

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

/** The files from which the page is built, in addition to the document. The lock file represents the tools. */
const inputs = [
  "apps/console/{browser,public}/**/*.*",
  "apps/console/src/{build,session}/**/*.ts",
  "apps/console/*.{html,json,ts}",
  "packages/{client,design,kernel,webhooks}/src/**/*.*",
  "package-lock.json",
];

export function hashPageInputs(): Promise<string> {
  return hashInputs(repository, inputs, openapi());
}
