import { startScript } from "@gateway/testkit";
import { randomUUID } from "node:crypto";
import { globSync } from "node:fs";
import { readFile, rm } from "node:fs/promises";
import { createRequire } from "node:module";
import { basename, dirname, join } from "node:path";
import { readRepositoryFile, repository } from "./source-files.ts";

const journeyFolder = join(repository, "openapi/workflows");
/** The sources that journeys name, and their files. */
export const documents = {
  gateway: join(repository, "openapi/openapi.yaml"),
  auth: join(repository, "openapi/auth.yaml"),
};
const suffix = ".arazzo.yaml";

export type JourneyOptions = {
  /** The journey's file. */
  file: string;
  /** The addresses of the gateway and the identity provider. */
  servers: Readonly<Record<keyof typeof documents, string>>;
  inputs: Readonly<Record<string, string>>;
  /** A folder for the files that the run writes. */
  folder: string;
};

export type JourneyRun = {
  code: number | null;
  /**
   * The output that a person at the terminal sees: checks without bodies, except for the start of a body that does not
   * fit the document. Its secrets are masked.
   */
  output: string;
  /** The steps in the order in which they ran. A repeated step counts once, with its last response. */
  steps: JourneyStep[];
  /** The secrets in responses, so that the output can be searched for them. */
  secrets: string[];
};

type JourneyStep = { stepId: string; url: string; statusCode: number; failedChecks: string[] };

/** The names of all journeys, in alphabetical order. */
export function listJourneys(): string[] {
  return globSync(`*${suffix}`, { cwd: journeyFolder })
    .map((file) => basename(file, suffix))
    .sort();
}

export function fileOfJourney(name: string): string {
  return join(journeyFolder, `${name}${suffix}`);
}

/** The steps in a journey's file, so that a skipped one is noticed. */
export function stepsOnPaper(name: string): string[] {
  const text = readRepositoryFile(`openapi/workflows/${name}${suffix}`);
  return Array.from(text.matchAll(/^ +- stepId: (?<id>\S+)$/gm), ({ groups }) => groups?.["id"] ?? "");
}

/**
 * Runs a journey as CI and people do, with Redocly's Respect. The inputs contain secrets, so they are passed in the
 * environment, where the list of processes does not show them. Only this machine can be reached.
 */
export async function runJourney({ file, servers, inputs, folder }: JourneyOptions): Promise<JourneyRun> {
  const report = join(folder, `journey-${randomUUID()}.json`);
  const program = startScript(
    join(dirname(createRequire(documents.gateway).resolve("@redocly/cli/package.json")), "bin/cli.js"),
    ["respect", file, "--server", JSON.stringify(servers), "--json-output", report],
    {
      cwd: journeyFolder,
      env: {
        ...onlyLoopback,
        REDOCLY_CLI_RESPECT_INPUT: JSON.stringify(inputs),
        REDOCLY_SUPPRESS_UPDATE_NOTICE: "true",
        NO_COLOR: "1",
      },
    },
  );
  const code = await program.exited;
  return { code, output: mask(program.stdout() + program.stderr()), ...(await readReport(report)) };
}

/** Environment of a process that may connect only to this machine. */
export const onlyLoopback = { NODE_OPTIONS: `--import=${join(import.meta.dirname, "only-loopback.ts")}` };

/** The part of Respect's report that we read. A step that runs another workflow is reported as that workflow. */
type Report = { files: Record<string, { executedWorkflows: ReportedWorkflow[] }> };
type ReportedWorkflow = { executedSteps: (ReportedStep | ReportedWorkflow)[] };
type ReportedStep = {
  stepId: string;
  request: { url: string };
  response: { statusCode: number };
  checks: { name: string; condition?: string; message: string; passed: boolean }[];
  retriesLeft?: number;
};

/**
 * The report repeats every body with its secrets, so it is deleted before this returns. Without a report, nothing ran.
 */
async function readReport(file: string): Promise<Pick<JourneyRun, "steps" | "secrets">> {
  const text = await readFile(file, "utf8").catch(() => '{"files":{}}');
  await rm(file, { force: true });
  return { steps: stepsOf(JSON.parse(text) as Report), secrets: secretsOf(text) };
}

function stepsOf({ files }: Report): JourneyStep[] {
  return Object.values(files)
    .flatMap(({ executedWorkflows }) => executedWorkflows.flatMap(flatten))
    .filter(({ retriesLeft = 0 }) => retriesLeft === 0)
    .map(({ stepId, request, response, checks }) => ({
      stepId,
      url: request.url,
      statusCode: response.statusCode,
      failedChecks: checks
        .filter(({ passed }) => !passed)
        .map(({ name, condition, message }) => condition ?? mask(`${name}: ${message}`)),
    }));
}

function flatten(one: ReportedStep | ReportedWorkflow): ReportedStep[] {
  return "executedSteps" in one ? one.executedSteps.flatMap(flatten) : [one];
}

/**
 * Respect masks secrets that are inputs, and some fields of responses by their names. It does not mask the excerpt of a
 * response that does not fit the document, and a failing test logs that excerpt.
 */
function mask(text: string): string {
  return text.replaceAll(/"(secret|access_token|refresh_token|id_token)": "[^"]*"/g, '"$1": "********"');
}

/** Secrets that Respect itself has masked are not in its report. */
function secretsOf(report: string): string[] {
  const found = report.matchAll(/\\?"(?:secret|access_token|refresh_token|id_token)\\?":\s*\\?"(?<value>[\w.~-]+)/g);
  return Array.from(found, ({ groups }) => groups?.["value"] ?? "");
}
