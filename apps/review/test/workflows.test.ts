import { readFileSync } from "node:fs";
import { describe, expect, test } from "vitest";
import { marker } from "../src/render-markdown.ts";
import { readWorkflows, stepsOf, type Job, type Workflow } from "./support/workflows.ts";

const workflows = readWorkflows();
/** The step that lists what must be allowed in the settings of the repository. */
const switchedOn = "What must be switched on";
const root = new URL("../../../", import.meta.url);

test("these are the workflows", () => {
  expect(workflows.map(({ file }) => file)).toEqual([
    ...["main.yml", "nightly.yml", "pages.yml", "preview.yml", "pull-request-comment.yml", "pull-request.yml"],
    ...["review.yml", "tests.yml"],
  ]);
});

describe.each(workflows)("$file", (workflow) => {
  test("every npm script that it runs is there", () => {
    const lines = stepsOf(workflow).flatMap(({ run = "" }) => run.split("\n"));
    const calls = lines.flatMap((line) => readCall(line.trim()));
    expect(calls.filter(({ script, workspace }) => scriptsOf(workspace)[script] === undefined)).toEqual([]);
    expect(calls.length > 0).toBe(workflow.text.includes("npm run"));
  });

  test("every action is pinned to a commit, whose release stands beside it", () => {
    const uses = [...workflow.text.matchAll(/uses: (.+)$/gm)].map(([, use = ""]) => use);
    const pinned = /^(?:actions\/[\w-]+|changesets\/action\/[\w-]+)@[0-9a-f]{40} # v\d+\.\d+\.\d+$/;
    expect(uses.length).toBeGreaterThan(0);
    expect(uses.filter((use) => !pinned.test(use) && use !== "./.github/workflows/tests.yml")).toEqual([]);
  });

  test("names no secret, and leaves no token in a clone", () => {
    expect(workflow.text).not.toMatch(/secrets\s*[.[]/);
    const clones = stepsOf(workflow).filter(({ uses = "" }) => uses.startsWith("actions/checkout@"));
    expect(clones.filter((step) => step.with?.["persist-credentials"] !== false)).toEqual([]);
  });

  test("puts no text of a pull request into a script", () => {
    const scripts = stepsOf(workflow).map((step) => `${step.run ?? ""}${String(step.with?.["script"] ?? "")}`);
    expect(scripts.filter((script) => script.includes("${{"))).toEqual([]);
  });

  test("a job that may write runs no script of the repository, and restores no cache", () => {
    const steps = writersOf(workflow).flatMap((job) => job.steps ?? []);
    const scripts = steps.filter((step) => step.name !== switchedOn).flatMap(({ run }) => run ?? []);
    expect(scripts.filter((script) => script !== "npm ci --ignore-scripts")).toEqual([]);
    const installs = steps.filter(({ uses = "" }) => uses.startsWith("actions/setup-node@"));
    expect(installs.filter((step) => step.with?.["package-manager-cache"] !== false)).toEqual([]);
  });

  test("a job that needs a setting of the repository names it when it fails", () => {
    const silent = writersOf(workflow).filter((job) => !job.steps?.some(({ name }) => name === switchedOn));
    expect(silent.length).toBe(workflow.file === "pull-request-comment.yml" ? 1 : 0);
  });
});

test.each(["pull-request.yml", "review.yml", "preview.yml"])(
  "%s reads the repository and may do nothing else",
  (file) => {
    const workflow = find(file);
    expect(Object.keys(workflow.on)).toEqual(["pull_request"]);
    expect(workflow.permissions).toEqual({ contents: "read" });
    expect(Object.values(workflow.jobs).filter((job) => job.permissions !== undefined)).toEqual([]);
  },
);

test("no workflow runs with the rights of the base on the code of a pull request", () => {
  expect(workflows.filter(({ on }) => "pull_request_target" in on)).toEqual([]);
});

test("a pull request's workflows write on pull requests only, and clone nothing where they do", () => {
  const comment = find("pull-request-comment.yml");
  expect(stepsOf(comment).filter(({ run, uses = "" }) => run ?? uses.includes("checkout"))).toEqual([]);
});

test("what may be written: comments, the site, the next version, the release, each by one job", () => {
  const writes = workflows.flatMap((workflow) =>
    Object.entries(workflow.jobs).flatMap(([name, job]) =>
      writesOf(workflow, job).map((permission) => `${workflow.file} ${name} ${permission}`),
    ),
  );
  expect(writes).toEqual([
    "main.yml version contents",
    "main.yml version pull-requests",
    "main.yml publish contents",
    "main.yml publish id-token",
    "nightly.yml report issues",
    "pages.yml publish pages",
    "pages.yml publish id-token",
    "pull-request-comment.yml comment pull-requests",
  ]);
});

test("a pull request and the main branch run the parts of the gate, and nothing is released before", () => {
  for (const file of ["pull-request.yml", "main.yml"]) {
    expect(find(file).jobs["tests"]?.uses).toBe("./.github/workflows/tests.yml");
  }
  expect(find("pull-request.yml").text).toContain("scope: --affected");
  expect(find("main.yml").text).not.toContain("--affected");
  expect(find("main.yml").jobs["select"]).toMatchObject({ needs: "tests" });
  const parts = stepsOf(find("tests.yml")).flatMap(({ run = "" }) => run.split(" $SCOPE")[0]);
  expect(parts).toEqual(
    expect.arrayContaining([
      "npm run check",
      "npx turbo run test --concurrency=1",
      "npx turbo run test:system --concurrency=1",
    ]),
  );
  const gate = readFileSync(new URL(".ci/run", root), "utf8");
  for (const command of ["npm run check", "npm test", "npm run test:system"]) {
    expect(gate).toContain(command);
  }
});

test("git trusts the clone in every job that runs in a container", () => {
  const inContainers = workflows.flatMap(({ jobs }) => Object.values(jobs)).filter(({ container }) => container);
  const silent = inContainers.filter(({ steps = [] }) => !steps.some(({ run }) => run?.includes("safe.directory")));
  expect(inContainers.length).toBeGreaterThan(0);
  expect(silent).toEqual([]);
});

test("a release is packed by a job that may not write, and published by one that packs nothing", () => {
  const { pack, publish } = find("main.yml").jobs;
  expect(pack?.permissions).toBe(undefined);
  expect(publish).toMatchObject({ needs: "pack", environment: "release" });
  const release = publish?.steps?.find(({ uses = "" }) => uses.startsWith("changesets/action/publish@"));
  expect(release).toMatchObject({ env: { NPM_CONFIG_PROVENANCE: "true" } });
});

test("a pull request runs the review and builds the site, apart from the suites and never cut off", () => {
  const runs = ["review.yml", "preview.yml"].flatMap((file) => stepsOf(find(file)).map(({ run }) => run?.trim()));
  expect(runs).toEqual(
    expect.arrayContaining([
      "npm run --silent spec:review -- --base HEAD^1 --markdown spec-review.md",
      "npm run build -w apps/docs",
    ]),
  );
  expect(find("review.yml").text + find("preview.yml").text).not.toContain("cancel-in-progress: true");
});

test("where pages tell when they changed, the history is there", () => {
  const builders = workflows
    .flatMap(({ jobs }) => Object.values(jobs))
    .filter(({ steps = [] }) => steps.some(({ run }) => run?.includes("build -w apps/docs")));
  expect(builders).toHaveLength(2);
  expect(builders.map(({ steps }) => steps?.[0]?.with?.["fetch-depth"])).toEqual([0, 0]);
});

test("the review has the parent that it compares with", () => {
  const [clone] = find("review.yml").jobs["review"]?.steps ?? [];
  expect(clone?.with?.["fetch-depth"]).toBe(2);
});

test("the report goes from one workflow to the other under the same names", () => {
  const [from, to] = [find("review.yml"), find("pull-request-comment.yml")];
  const upload = from.jobs["review"]?.steps?.find(({ uses = "" }) => uses.includes("upload-artifact"));
  const download = stepsOf(to).find(({ uses = "" }) => uses.includes("download-artifact"));
  expect(to.on["workflow_run"]).toMatchObject({ workflows: [from.name, find("preview.yml").name] });
  expect(upload?.with).toMatchObject({ name: "spec-review", path: "spec-review.md" });
  expect(download?.with?.["name"]).toBe("spec-review");
});

test("the comment is found again by the mark that the report begins with", () => {
  expect(find("pull-request-comment.yml").text).toContain(`const marker = "${marker}";`);
});

function find(file: string): Workflow {
  const found = workflows.find((workflow) => workflow.file === file);
  if (!found) {
    throw new Error(`There is no ${file}.`);
  }
  return found;
}

function writersOf(workflow: Workflow): Job[] {
  return Object.values(workflow.jobs).filter((job) => writesOf(workflow, job).length > 0);
}

function writesOf(workflow: Workflow, job: Job): string[] {
  const permissions = Object.entries(job.permissions ?? workflow.permissions ?? { all: "write" });
  return permissions.filter(([, level]) => level !== "read" && level !== "none").map(([name]) => name);
}

type Call = { script: string; workspace: string };

function readCall(line: string): Call[] {
  const [, run, test] = /^npm (?:run (?:--silent )?([\w:-]+)|(test))\b/.exec(line) ?? [];
  const [, workspace = ""] = /\s-w (\S+)/.exec(line) ?? [];
  const script = run ?? test;
  return script === undefined ? [] : [{ script, workspace }];
}

function scriptsOf(workspace: string): Readonly<Record<string, string>> {
  const file = new URL(workspace === "" ? "package.json" : `${workspace}/package.json`, root);
  const manifest = JSON.parse(readFileSync(file, "utf8")) as { scripts?: Record<string, string> };
  return manifest.scripts ?? {};
}
