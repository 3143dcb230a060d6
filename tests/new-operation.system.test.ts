import { eventTypes } from "@gateway/contract";
import { createTestFolder } from "@gateway/testkit";
import { execFile } from "node:child_process";
import { cp, mkdir, readdir, readFile, symlink, writeFile } from "node:fs/promises";
import { basename, join } from "node:path";
import { beforeAll, describe, expect, test } from "vitest";
import { repository } from "./support/source-files.ts";

const bin = join(repository, "node_modules/.bin");

let folder: string;

beforeAll(async () => {
  folder = await createTestFolder();
  await copyRepository();
});

describe("the scaffold refuses, and writes nothing,", () => {
  test.each([
    ["a service that is none", ["--service", "shop"], 'There is no service "shop": the services are oracle, custody,'],
    ["a noun that is not in kebab-case", ["--noun", "savedView"], "--noun is"],
    ["an operation that there is", ["--noun", "wallet"], "There is an operation createWallet already."],
    ["a permission that is none", ["--permission", "owner"], "--permission is"],
    ["a change that a read credential may make", ["--permission", "read"], "create changes something"],
    ["a new noun whose ids have no prefix", ["--prefix", ""], "--prefix is"],
    ["an event of what changes nothing", ["--verb", "list", "--emits", "note.listed"], "list changes nothing"],
    ["a code that is none", ["--refuses", "last-owner"], "--refuses is"],
    ["a collection under what there is not", ["--under", "invoice"], "the document has no path /invoices/{id}"],
    ["one under a thing of another service", ["--under", "payment"], "which belongs to orchestra"],
    ["what has an id, under a thing", ["--verb", "get", "--under", "wallet"], "--under is for list and create"],
    ["a further event that there is not", ["--emits", "note.created,note.lost"], "only its first event may be new"],
    ["a field without a schema", ["--takes", "amount"], '--takes has "amount"'],
    ["a field of a schema that there is not", ["--takes", "amount:Amount"], "The document has no schema Amount"],
    ["a field that is an object", ["--takes", "metadata:Metadata"], "write metadata by hand"],
    ["what a list takes", ["--verb", "list", "--takes", "name:Name"], "--takes is for create and update"],
    [
      "what a known noun shows",
      ["--verb", "update", "--noun", "wallet", "--shows", "name:Name"],
      "--shows is for the creation",
    ],
    ["what it does not know", ["--nuon", "note"], "Unknown option '--nuon'"],
  ])("%s", async (_name, options, message) => {
    const known = [
      "--service",
      "ledger",
      "--noun",
      "note",
      "--verb",
      "create",
      "--permission",
      "write",
      "--prefix",
      "not",
    ];
    const { code, text } = await scaffold(...known, ...options);
    expect({ code, text }).toEqual({ code: 1, text: expect.stringContaining(message) });
    expect(await readdir(join(folder, "openapi/paths"))).toEqual(await readdir(join(repository, "openapi/paths")));
  });

  test("when nobody can be asked for what is missing", async () => {
    expect(await scaffold("--service", "ledger")).toMatchObject({
      code: 1,
      text: expect.stringMatching(/^--noun is missing/),
    });
  });
});

test("--help names each option", async () => {
  const { code, text } = await scaffold("--help");
  const options = "service noun verb permission prefix plural under emits takes shows refuses help".split(" ");
  expect({ code, named: options.filter((option) => text.includes(`  --${option} `)) }).toEqual({
    code: 0,
    named: options,
  });
});

describe("what the scaffold wrote is red where a person must decide, and nowhere else:", () => {
  beforeAll(async () => {
    const written = [
      // A noun with an event that an external service causes.
      await scaffold(
        ..."--service execution --noun basket --verb create --permission write --prefix bsk --emits custody.transfer.completed".split(
          " ",
        ),
      ),
      // An existing noun and path, and a new event.
      await scaffold(
        ..."--service ledger --noun wallet --verb archive --permission write --emits wallet.gone --refuses LAST_OWNER".split(
          " ",
        ),
      ),
      // A new noun of an existing service.
      await scaffold(..."--service ledger --noun saved-view --verb list --permission read --prefix svw".split(" ")),
      await scaffold(..."--service events --noun delivery --verb update --permission write".split(" ")),
      // A collection under a resource, with an event of its own and so with states. Its list needs no decisions in
      // files of its own.
      await scaffold(
        ..."--service orchestra --noun refund --under payment --verb create --permission write --prefix rfd --emits refund.created,wallet.balance_changed --takes amount:PaymentAmount --shows currency:Currency".split(
          " ",
        ),
      ),
      await scaffold(..."--service orchestra --noun refund --under payment --verb list --permission read".split(" ")),
    ];
    if (written.some(({ code }) => code !== 0)) {
      throw new Error(written.map(({ text }) => text).join("\n"));
    }
  });

  test("the document says each text and field that is missing", async () => {
    const { text } = await run(
      "redocly",
      ["lint", "gateway@v1", "--format=json", "--max-problems=500"],
      join(folder, "openapi"),
    );
    const { problems } = JSON.parse(text.slice(text.indexOf("{"), text.lastIndexOf("}") + 1)) as {
      problems: { ruleId: string; message: string }[];
    };
    expect(
      problems
        .filter(({ ruleId }) => ruleId === "gateway/decided")
        .map(({ message }) => message)
        .toSorted(),
    ).toEqual(
      [
        "Decide the fields that createBasket takes, and say what they are in a sentence.",
        "Decide the fields that updateDelivery takes, and say what they are in a sentence.",
        "Decide what a request of createBasket looks like.",
        "Decide what a request of updateDelivery looks like.",
        "Decide what a refund is, in a sentence, and its other fields.",
        "Decide what createRefund does and when it refuses, in a few sentences.",
        "Decide what states a basket has; new ones may be added.",
        "Decide what a saved view is, in a sentence, and its other fields.",
        "Decide what a basket is, in a sentence, and its other fields.",
        "Decide what callers do with saved views, in a sentence or two.",
        "Decide what callers do with baskets, in a sentence or two.",
        "Decide what createBasket does and when it refuses, in a few sentences.",
        "Decide what archiveWallet does and when it refuses, in a few sentences.",
        "Decide what happened at wallet.gone, in a sentence. Fields may be added to the event and to its object: ignore those that you do not know.",
        "Decide what the example of wallet.gone shows.",
        "Decide what updateDelivery does and when it refuses, in a few sentences.",
        "Decide what wallet.gone tells its receiver, and what its object is.",
        "Decide when wallet.gone happens.",
        "Decide which wallet archiveWallet answers here.",
        "Decide which delivery updateDelivery answers here.",
      ].toSorted(),
    );
    const others = problems.filter(({ ruleId }) => ruleId !== "gateway/decided");
    // A person must also decide which transition the event of an operation reports.
    expect(new Set(others.map(({ ruleId }) => ruleId))).toEqual(
      new Set(["no-invalid-media-type-examples", "gateway/transition-emits"]),
    );
  });

  test("the type-check says each rule and field that is missing, once", async () => {
    expect(await run("node", ["packages/contract/scripts/generate.ts"])).toMatchObject({ code: 0 });
    const { text } = await run("node", ["node_modules/typescript/bin/tsc", "-p", "."]);
    expect(
      text
        .split("\n")
        .filter((line) => line.includes("error TS"))
        .toSorted(),
    ).toEqual([
      expect.stringMatching(/events\/update-delivery\.ts.*Property 'update' does not exist/),
      // Remains until the body has a field.
      expect.stringMatching(/execution\/create-basket\.ts.*of type 'CreateInput'/),
      expect.stringMatching(/ledger\/archive-wallet\.ts.*Property 'archive' does not exist/),
      expect.stringMatching(/ledger\/list-saved-views\.ts.*Property 'list' does not exist/),
      expect.stringMatching(/orchestra\/list-refunds\.ts.*Property 'list' does not exist/),
      expect.stringMatching(/execution\/basket\.ts.*missing the following properties.*walletId/),
      expect.stringMatching(/execution\/index\.ts.*'\w+Deps' is not assignable to parameter of type 'BasketDeps'/),
      expect.stringMatching(/orchestra\/refund\.ts.*is not assignable to type .*currency/),
    ]);
  }, 240_000);

  test("what its name says about a creation and its event is written, and nothing is left to decide", async () => {
    const read = (path: string): Promise<string> => readFile(join(folder, path), "utf8");
    const schemas = "openapi/components/schemas";
    expect(await read(`${schemas}/events/EventType.yaml`)).toContain("| `refund.created` | A refund was created. |");
    expect(await read(`${schemas}/accounts/AuditEventType.yaml`)).toContain(
      "| `refund.created` | A refund was created. |",
    );
    expect(await read("apps/gateway/test/audit.edge.test.ts")).toContain('createRefund: "refund.created",');
    expect(await read("apps/gateway/test/state-machines.edge.test.ts")).toContain(
      '"Refund.create": byOperation("createRefund"),',
    );
    // An exported type that nothing imports fails lint:unused.
    expect(await read("packages/platform/src/orchestra/tables.ts")).toContain("\ntype RefundsTable = {");
    const lists = await read("packages/platform/test/plans/every-list.test.ts");
    expect(lists).toContain('  listSavedViews: "saved views: ",\n  listRefunds: "refunds of ",\n};\n');
    expect(await read("packages/platform/test/plans/parts.ts")).toContain(`{
    table: "refunds",
    prefix: "rfd",
    of: { noun: "payment", prefix: "pay" },
    columns: { amount: "1", currency: "'x'", status: "'created'" },
    list: ({ orchestra }, paymentId, page) => orchestra.refunds.list({ paymentId, ...page }),
  },`);
    const samples = await read("apps/gateway/test/support/samples/orchestra.ts");
    expect(samples).toContain("makers: { rfd: createRefund, cpy: ");
    expect(samples).toContain(`
async function createRefund(owner: Owner): Promise<{ id: string }> {
  const { accountId } = owner;
  const { id: paymentId } = await createPayment(owner);
  const refund = await owner.platform.orchestra.refunds.create({ accountId, paymentId, amount: 1050 });`);
    expect(await read("tests/all-events.system.test.ts")).toContain(`  "refund.created": async () => {
    const { about } = await scenarios["payment.initiated"]();
    return { about: (await post(\`payments/\${about}/refunds\`, { amount: 1050 })).id, status: "created" };
  },
};
`);
    expect(await read("tests/storm/ledger/machines.ts")).toContain(`  Refund: {
    table: "refunds",
    open: [],
    events: { "refund.created": one },
    audited: { "refund.created": one },
    booked: {},
  },`);
    expect(await read("docs/architecture/imports.md")).toContain("| orchestra | refunds, counterparties,");
    const migrations = await readdir(join(folder, "packages/schema/src/migrations"));
    const migration = migrations.find((file) => file.endsWith("-refunds.ts"));
    const statements = await read(`packages/schema/src/migrations/${migration}`);
    expect(statements).toContain("amount bigint not null");
    expect(statements).toContain("create index refunds_of_payment on refunds (payment_id, account_id, id)");
    expect(await read("packages/platform/src/orchestra/refund.ts")).toContain('type: "refund.created", resourceId');
  });

  test("a webhook may ask for the two new events as well", async () => {
    const types = await readFile(join(folder, "openapi/components/schemas/events/EventTypes.yaml"), "utf8");
    expect(types).toContain(`maxItems: ${eventTypes.length + 2}\n`);
  });

  test("and lint finds nothing in its code", async () => {
    const { code, text } = await run("oxlint", ["packages/platform/src", "packages/schema/src", "apps/gateway/src"]);
    expect({ code, text: code === 0 ? "" : text }).toEqual({ code: 0, text: "" });
  });

  test("and is formatted", async () => {
    expect(await run("oxfmt", ["--check", "apps", "openapi", "packages"])).toMatchObject({ code: 0 });
  });
});

/** Copies what the scaffold reads and writes. The installed packages are linked, and our own are those of the copy. */
async function copyRepository(): Promise<void> {
  const files = ["package.json", "tsconfig.base.json", ".oxfmtrc.json", ".oxlintrc.json"];
  const filter = (path: string): boolean => basename(path) !== "node_modules";
  for (const path of [...files, "openapi", "packages", "scripts", "apps/gateway", "docs/architecture", "tests"]) {
    await cp(join(repository, path), join(folder, path), { recursive: true, filter });
  }
  const include = ["apps/gateway/src", "packages/platform/src"];
  await writeFile(join(folder, "tsconfig.json"), JSON.stringify({ extends: "./tsconfig.base.json", include }));
  const installed = (await readdir(join(repository, "node_modules"))).filter((name) => name !== "@gateway");
  await mkdir(join(folder, "node_modules"));
  for (const path of ["packages/contract/node_modules", ...installed.map((name) => `node_modules/${name}`)]) {
    await symlink(join(repository, path), join(folder, path));
  }
  const ours = "node_modules/@gateway";
  await cp(join(repository, ours), join(folder, ours), { recursive: true, verbatimSymlinks: true });
}

function scaffold(...options: string[]): Promise<{ code: number; text: string }> {
  return run("node", ["scripts/new-operation/main.ts", ...options]);
}

function run(program: string, options: string[], cwd = folder): Promise<{ code: number; text: string }> {
  const env = { ...process.env, PATH: `${bin}:${process.env["PATH"]}` };
  return new Promise((resolve) => {
    execFile(join(bin, program), options, { cwd, env, maxBuffer: 16_000_000 }, (error, stdout, stderr) => {
      resolve({ code: error === null ? 0 : 1, text: error === null ? stdout : stdout + stderr });
    });
  });
}
