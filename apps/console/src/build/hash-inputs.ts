import { openapi } from "@gateway/contract";
import { hashInputs } from "@gateway/process";
import { repository } from "../folders.ts";

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
