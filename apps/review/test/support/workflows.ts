import { readdirSync, readFileSync } from "node:fs";
import { parse } from "yaml";

export type Step = {
  name?: string;
  id?: string;
  uses?: string;
  run?: string;
  if?: string;
  with?: Readonly<Record<string, string | number | boolean>>;
};
/** A job that calls another workflow has `uses` instead of steps. */
export type Job = {
  permissions?: Permissions;
  container?: string;
  steps?: readonly Step[];
  uses?: string;
  if?: string;
  environment?: string;
};
type Permissions = Readonly<Record<string, string>>;
export type Workflow = {
  file: string;
  text: string;
  name: string;
  on: Readonly<Record<string, unknown>>;
  permissions?: Permissions;
  jobs: Readonly<Record<string, Job>>;
};

const folder = new URL("../../../../.github/workflows/", import.meta.url);

export function readWorkflows(): Workflow[] {
  return readdirSync(folder).map((file) => {
    const text = readFileSync(new URL(file, folder), "utf8");
    // The tests that follow check this shape.
    return { file, text, ...(parse(text) as Omit<Workflow, "file" | "text">) };
  });
}

export function stepsOf(workflow: Workflow): readonly Step[] {
  return Object.values(workflow.jobs).flatMap(({ steps = [] }) => steps);
}
