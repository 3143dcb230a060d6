import { createTestFolder } from "@gateway/testkit";
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { compileFunction } from "node:vm";
import { beforeEach, describe, expect, test } from "vitest";
import { marker } from "../src/render-markdown.ts";
import { readWorkflows, stepsOf } from "./support/workflows.ts";

type Comment = { id: number; user: { login: string }; body: string };

const workflow = readWorkflows().find(({ file }) => file === "pull-request-comment.yml");
const script = String(
  workflow && stepsOf(workflow).find(({ uses = "" }) => uses.includes("github-script"))?.with?.["script"],
);
const bot = { login: "github-actions[bot]" };

describe("the script that comments, on a pull request whose head is sha1", () => {
  let comments: Comment[];
  let file: string;

  beforeEach(async () => {
    comments = [{ id: 1, user: { login: "somebody" }, body: `${marker}\nI was here first.` }];
    file = join(await createTestFolder(), "spec-review.md");
  });

  test("writes one comment and brings it up to date, whoever else used the mark", async () => {
    await write(`${marker}\nFirst.`);
    await write(`${marker}\nSecond.`);
    expect(comments).toEqual([
      { id: 1, user: { login: "somebody" }, body: `${marker}\nI was here first.` },
      { id: 2, user: bot, body: `${marker}\nSecond.` },
    ]);
  });

  test("adds the link of the preview, whichever of the two comes first, and keeps it", async () => {
    const preview = "[Preview of the site](https://github.com/o/r/actions/runs/5/artifacts/9) at sha1";
    await write("", "sha1", "Preview");
    expect(comments[1]?.body).toContain("Spec review: under way");
    await write(`${marker}\nFirst.`);
    expect(comments[1]?.body).toMatch(/First\.\n\n<!-- gateway-preview -->\n/);
    expect(comments[1]?.body).toContain(preview);
    await write("", "sha1", "Preview");
    expect(comments[1]?.body.split(preview)).toHaveLength(2);
  });

  test("says so when the run has no report", async () => {
    await write("");
    expect(comments[1]?.body).toContain("nothing was compared");
    expect(comments[1]?.body).toContain("https://github.com/o/r/actions/runs/5");
  });

  test("writes nothing for commits that are not the newest any more", async () => {
    await write(`${marker}\nOld.`, "sha0");
    expect(comments).toHaveLength(1);
  });

  test("writes nothing but a report", async () => {
    await expect(write("Buy our tokens.")).rejects.toThrow("not a report");
    expect(comments).toHaveLength(1);
  });

  test("writes no more than a comment takes", async () => {
    await write(marker + "x".repeat(100_000));
    expect(comments[1]?.body.length).toBeLessThan(65_536);
  });

  /** Runs the script with the parts of the action's context that it uses, on the comments above. */
  async function write(text: string, sha = "sha1", name = "Review"): Promise<void> {
    await writeFile(file, text);
    const fs = await import("node:fs");
    const scope = {
      context: {
        repo: { owner: "o", repo: "r" },
        payload: {
          workflow_run: { name, id: 5, head_repository: { owner: { login: "fork" } }, head_branch: "b", head_sha: sha },
        },
      },
      core: { info: () => undefined },
      github: {
        paginate: (list: (options: object) => unknown, options: object) => list(options),
        rest: {
          actions: { listWorkflowRunArtifacts: () => [{ id: 9, name: "site-preview" }] },
          pulls: {
            list: ({ head }: { head: string }) => (head === "fork:b" ? [{ number: 7, head: { sha: "sha1" } }] : []),
          },
          issues: {
            listComments: ({ issue_number: number }: { issue_number: number }) => (number === 7 ? comments : []),
            createComment: ({ body }: { body: string }) => comments.push({ id: comments.length + 1, user: bot, body }),
            updateComment: ({ comment_id: id, body }: { comment_id: number; body: string }) =>
              comments.forEach((comment) => comment.id === id && (comment.body = body)),
          },
        },
      },
      require: () => ({ existsSync: () => text !== "", readFileSync: () => fs.readFileSync(file, "utf8") }),
    };
    const names = Object.keys(scope);
    const run = compileFunction(`return (async () => {${script}})();`, names) as (...args: unknown[]) => Promise<void>;
    await run(...Object.values(scope));
  }
});
