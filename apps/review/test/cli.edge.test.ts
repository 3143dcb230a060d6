import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, test } from "vitest";
import { createTestRepository } from "./support/test-repository.ts";

const document = (path: string): object => ({
  openapi: "3.1.1",
  info: { title: "A", version: "1" },
  paths: { [path]: { get: { operationId: "getA", responses: { 200: { description: "It." } } } } },
});

test("from a breaking change to its note: 1, then 0, and 2 for what cannot be compared", async () => {
  const repository = await createTestRepository();
  await repository.publish("openapi", document("/a"));
  await repository.commit();
  await repository.publish("openapi", document("/b"));

  const broken = await repository.review("--base", "main");
  const id = /^ {2}(operation-removed:getA~[0-9a-f]{8})$/m.exec(broken.stdout)?.[1];
  expect(broken).toMatchObject({ code: 1, stderr: "", stdout: expect.stringContaining("it is GET /b now") });

  await repository.write(".changeset/new.md", `---\n---\n\nx-breaking-accepted: ${id} Nobody calls it.\n`);
  const accepted = await repository.review("--base", "main");
  expect(accepted).toMatchObject({
    code: 0,
    stdout: expect.stringContaining("accepted in .changeset/new.md: Nobody calls it."),
  });

  expect(await repository.review("--base", "nowhere", "--markdown", "r.md")).toMatchObject({ code: 2, stdout: "" });
  const comment = await readFile(join(repository.folder, "r.md"), "utf8");
  expect(comment).toMatch(/^<!-- gateway-spec-review -->\n## Spec review: nothing was compared\n/);
  expect(comment).toContain("has no commit 'nowhere'".replaceAll("'", '"'));
});
