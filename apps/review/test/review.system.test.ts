import { createTestFolder } from "@gateway/testkit";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { beforeEach, describe, expect, test } from "vitest";
import { marker } from "../src/render-markdown.ts";
import { createTestRepository, publishedFile, runReview, type TestRepository } from "./support/test-repository.ts";

type Schema = Record<string, unknown>;

const text = { type: "string" };
const wallet = (properties: Schema): Schema => ({ type: "object", properties });
const getWallet = (operationId = "getWallet"): object => ({
  get: {
    operationId,
    responses: {
      200: { description: "It.", content: { "application/json": { schema: { $ref: "#/components/schemas/Wallet" } } } },
    },
  },
});
const description = (paths: object, Wallet: Schema = wallet({ id: text, name: text })): object => ({
  openapi: "3.1.1",
  info: { title: "A", version: "1" },
  paths,
  components: { schemas: { Wallet } },
});
const walletPath = { "/wallet": getWallet() };
const root = `openapi: 3.1.1
paths:
  /wallet: { $ref: paths/wallet.yaml }
`;

describe("spec:review in a repository", () => {
  let repository: TestRepository;

  beforeEach(async () => {
    repository = await createTestRepository();
    await repository.publish("openapi", description(walletPath));
    await repository.write("openapi/openapi.yaml", root);
    await repository.write("openapi/components/schemas/ledger/Wallet.yaml", "type: object\n");
    await repository.write(".changeset/old.md", "---\n---\n\nOld.\n");
    await repository.commit();
  });

  const breakIt = (): Promise<void> => repository.publish("openapi", description(walletPath, wallet({ id: text })));
  const findId = async (): Promise<string> => {
    const { stdout } = await repository.review("--base", "main");
    return /^ {2}(response-field-ignored:Wallet\.name~[0-9a-f]{8})$/m.exec(stdout)?.[1] ?? "no id was printed";
  };

  test("no change: 0, and it says so in plain words", async () => {
    const { code, stdout, stderr } = await repository.review("--base", "main");
    expect({ code, stderr }).toEqual({ code: 0, stderr: "" });
    expect(stdout).toContain("The document says what it said at main.");
    expect(stdout).toContain("Nothing changed.");
  });

  test("a breaking change in the working tree, not committed: 1, with id, place, audience and advice", async () => {
    await breakIt();
    const { code, stdout } = await repository.review("--base", "main");
    expect(code).toBe(1);
    expect(stdout).toMatch(/^Breaking \(1\)$/m);
    expect(stdout).toMatch(/^ {2}response-field-ignored:Wallet\.name~[0-9a-f]{8}$/m);
    expect(stdout).toMatch(/where: getWallet \(GET \/wallet, paths\/wallet\.yaml\): response 200, body\.name$/m);
    expect(stdout).toMatch(/^ {4}file: {2}openapi\/components\/schemas\/ledger\/Wallet\.yaml$/m);
    expect(stdout).toContain("field Wallet.name is no longer described, and not refused; was string");
    expect(stdout).toMatch(/for: {3}consumers that call getWallet$/m);
    expect(stdout).toMatch(/do: {4}Keep it, deprecated, until it is no longer read\.$/m);
    expect(stdout).toContain("1 not accepted");
  });

  test("the id is the same at every run", async () => {
    await breakIt();
    expect(await findId()).toBe(await findId());
  });

  test("additive changes alone: 0", async () => {
    await repository.publish("openapi", description(walletPath, wallet({ id: text, name: text, x: text })));
    const { code, stdout } = await repository.review("--base", "main");
    expect({ code, stdout }).toMatchObject({
      code: 0,
      stdout: expect.stringContaining("response-field-added:Wallet.x"),
    });
  });

  describe("x-breaking-accepted", () => {
    test("a note in a new changeset accepts the change it names: 0, with the reason", async () => {
      await breakIt();
      const note = `- x-breaking-accepted: \`${await findId()}\` Nobody ever read it.`;
      await repository.write(".changeset/new.md", `---\n"a": major\n---\n\nNo more names.\n\n${note}\n`);
      const { code, stdout } = await repository.review("--base", "main");
      expect(code).toBe(0);
      expect(stdout).toContain("accepted in .changeset/new.md: Nobody ever read it.");
      expect(stdout).toContain("1 of the breaking accepted. No change blocks the merge.");
    });

    test("a committed note counts too, and is spent once it is in the base", async () => {
      await breakIt();
      await repository.write(".changeset/new.md", `x-breaking-accepted: ${await findId()} Agreed.\n`);
      await repository.commit();
      expect(await repository.review("--base", "main~1")).toMatchObject({ code: 0 });

      await repository.git("checkout", "--quiet", "main~1", "--", "packages");
      await repository.commit();
      await breakIt();
      expect(await repository.review("--base", "main")).toMatchObject({ code: 1 });
    });

    test.each([
      ["in a changeset of before", ".changeset/old.md", (id: string) => `x-breaking-accepted: ${id} Agreed.`, null],
      [
        "in the front matter",
        ".changeset/n.md",
        (id: string) => `---\nx-breaking-accepted: ${id} Agreed.\n---\n`,
        null,
      ],
      [
        "in the README of the folder",
        ".changeset/README.md",
        (id: string) => `x-breaking-accepted: ${id} Agreed.`,
        null,
      ],
      ["without a reason", ".changeset/n.md", (id: string) => `x-breaking-accepted: ${id}`, "it says no reason"],
      ["without an id", ".changeset/n.md", () => "x-breaking-accepted:", "it names no change"],
      ["for another change", ".changeset/n.md", () => "x-breaking-accepted: a:b~1 Agreed.", "there is no such change"],
      [
        "for a part of the id",
        ".changeset/n.md",
        (id: string) => `x-breaking-accepted: ${id.split("~")[0]} Agreed.`,
        "the change differs now",
      ],
    ])("a note %s accepts nothing: 1", async (_name, file, write, fault) => {
      await breakIt();
      await repository.write(file, `${write(await findId())}\n`);
      const { code, stdout } = await repository.review("--base", "main");
      expect(code).toBe(1);
      expect(stdout.includes("Unused note in")).toBe(fault !== null);
      expect(stdout).toContain(fault ?? "1 not accepted");
    });

    test("a note covers no more than was there when it was written: felt in one more place, it is another change", async () => {
      const two = { ...walletPath, "/other": getWallet("getOther") };
      await repository.publish("openapi", description(two));
      const base = await repository.commit();
      await repository.publish("openapi", description(two, wallet({ id: text })));
      const both = /^ {2}(response-field-ignored\S+)$/m.exec((await repository.review("--base", base)).stdout)?.[1];
      await breakIt();
      const one = /^ {2}(response-field-ignored\S+)$/m.exec((await repository.review("--base", base)).stdout)?.[1];
      expect(one?.split("~")[0]).toBe(both?.split("~")[0]);
      expect(one).not.toBe(both);
    });

    test("a note for what breaks nobody is said to be unneeded", async () => {
      await repository.publish("openapi", description({ ...walletPath, "/b": getWallet("getB") }));
      const id = /^ {2}(operation-added\S+)$/m.exec((await repository.review("--base", "main")).stdout)?.[1] ?? "";
      await repository.write(".changeset/n.md", `x-breaking-accepted: ${id} Agreed.\n`);
      const { code, stdout } = await repository.review("--base", "main");
      expect(code).toBe(0);
      expect(stdout).toContain("the change breaks no reader or sender and needs no note");
    });
  });

  describe("documents", () => {
    test("a document that is new is additive", async () => {
      await repository.publish("auth", description({}));
      const { code, stdout } = await repository.review("--base", "main");
      expect({ code, stdout }).toMatchObject({
        code: 0,
        stdout: expect.stringContaining("document-added:auth.yaml"),
      });
    });

    test("a document under a new name is the same", async () => {
      await repository.publish("identity", description({}));
      await repository.commit();
      await repository.remove(publishedFile("identity"));
      await repository.publish("auth", description({}));
      const { code, stdout } = await repository.review("--base", "main");
      expect({ code, stdout }).toMatchObject({ code: 0, stdout: expect.stringContaining("Nothing changed.") });
    });

    test("a document that is gone breaks those who use it", async () => {
      await repository.publish("auth", description({}));
      await repository.commit();
      await repository.remove(publishedFile("auth"));
      const { code, stdout } = await repository.review("--base", "main");
      expect(code).toBe(1);
      expect(stdout).toContain("document-removed:auth.yaml");
      expect(stdout).toContain("applications of people of all operations");
    });

    test("from a base without any, all is new", async () => {
      await repository.git("checkout", "--quiet", "--orphan", "empty");
      await repository.git("rm", "--quiet", "-r", "--cached", ".");
      await repository.git("commit", "--quiet", "--allow-empty", "--message=empty");
      const { code, stdout } = await repository.review("--base", "empty");
      expect({ code, stdout }).toMatchObject({
        code: 0,
        stdout: expect.stringContaining("document-added:openapi.yaml"),
      });
    });

    test("what is beside the documents is none of them", async () => {
      await repository.publish("notes", { apis: {} });
      await repository.write("packages/contract/src/generated/types.ts", "export {};\n");
      expect((await repository.review("--base", "main")).stdout).toContain("Nothing changed.");
    });
  });

  test("--markdown writes one comment with its mark, counts in the heading, and text of the document in code only", async () => {
    await breakIt();
    const path = { ...getWallet(), "x-`![a](https://evil.example/a.png)`<b>": "@everybody" };
    await repository.publish("openapi", description({ "/wallet": path }, wallet({ id: text })));
    const { code } = await repository.review("--base", "main", "--markdown", "report.md");
    const report = await readFile(join(repository.folder, "report.md"), "utf8");
    expect(code).toBe(1);
    expect(
      report.startsWith(`${marker}\n## Spec review: 1 breaking, 1 needs attention, 0 additive, 0 documentation\n`),
    ).toBe(true);
    expect(report.match(/<details/g)).toHaveLength(2);
    expect(report.match(/<\/details>/g)).toHaveLength(2);
    expect(report).toMatch(/^ {2}`[^`]+` id: `response-field-ignored:Wallet\.name~[0-9a-f]{8}`$/m);
    const outsideCode = report.replaceAll(/`[^`\n]*`/g, "");
    expect(outsideCode).not.toMatch(/evil|everybody|`/);
  });

  test("--markdown says that nothing changed", async () => {
    await repository.review("--base", "main", "--markdown", "report.md");
    const text = await readFile(join(repository.folder, "report.md"), "utf8");
    const commit = (await repository.git("rev-parse", "main")).slice(0, 12);
    expect(text).toBe(
      `${marker}\n## Spec review: nothing changed\n\nThe document says what it said at \`main\`, commit \`${commit}\`.\n`,
    );
  });

  test("a base with commits that are not here is pointed out, for it looks as if they were taken back", async () => {
    await repository.git("checkout", "--quiet", "-b", "feature");
    await repository.git("checkout", "--quiet", "main");
    await repository.publish("auth", description({}));
    await repository.commit();
    await repository.git("checkout", "--quiet", "feature");
    const { code, stderr } = await repository.review("--base", "main");
    expect(code).toBe(1);
    expect(stderr).toContain("--base $(git merge-base main HEAD)");
  });

  test("leaves nothing behind: no change of the repository", async () => {
    await repository.review("--base", "main");
    expect(await repository.git("status", "--porcelain")).toBe("");
  });

  test("works from a folder inside the repository", async () => {
    const { code } = await runReview(join(repository.folder, "openapi"), ["--base", "main"]);
    expect(code).toBe(0);
  });

  describe("what cannot be compared is 2, with what to do, and never 0 or 1", () => {
    test.each([
      ["no base", [], "--base is needed"],
      ["an empty base", ["--base", " "], "--base is needed"],
      ["an unknown option", ["--base", "main", "--fast"], "--fast"],
      ["an unknown ref", ["--base", "nowhere"], 'no commit "nowhere"; fetch it'],
      ["an option in the place of a ref", ["--base=--output=/tmp/x"], 'no commit "--output=/tmp/x"'],
      ["a ref that is no commit", ["--base", "main:openapi"], 'no commit "main:openapi"'],
      ["a name of no file", ["--base", "main", "--markdown", ""], "--markdown needs the name of a file"],
    ])("%s", async (_name, args, reason) => {
      const { code, stdout, stderr } = await repository.review(...args);
      expect({ code, stdout }).toEqual({ code: 2, stdout: "" });
      expect(stderr).toContain(reason);
      expect(stderr).not.toMatch(/^ {4}at /m);
    });

    test("a folder outside of any repository", async () => {
      const { code, stderr } = await runReview(await createTestFolder(), ["--base", "main"]);
      expect(code).toBe(2);
      expect(stderr).toContain("is not inside a git repository");
    });

    test("a document that cannot be read, and which of the two versions it is", async () => {
      await repository.write(publishedFile("openapi"), "{");
      const { code, stderr } = await repository.review("--base", "main");
      expect(code).toBe(2);
      expect(stderr).toContain("openapi.json of the working tree cannot be read");
    });

    test("published documents that are not made of what is in openapi/ now", async () => {
      await repository.write("packages/contract/src/generated/sources.sha256", `${"0".repeat(64)}\n`);
      const { code, stdout, stderr } = await repository.review("--base", "main");
      expect({ code, stdout }).toEqual({ code: 2, stdout: "" });
      expect(stderr).toContain('run "npm run generate", then review again');
    });

    test("no document on either side", async () => {
      await repository.remove("packages");
      const base = await repository.commit();
      const { code, stderr } = await repository.review("--base", base);
      expect(code).toBe(2);
      expect(stderr).toContain("has a published document");
    });
  });

  test("--help names the command as it is called", async () => {
    const { code, stdout } = await repository.review("--help");
    expect({ code, stdout }).toMatchObject({
      code: 0,
      stdout: expect.stringContaining("npm run --silent spec:review"),
    });
  });
});
