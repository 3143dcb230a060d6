import { findFreePort, startProcess, waitFor } from "@gateway/testkit";
import { signPayload } from "@gateway/webhooks";
import { execFile } from "node:child_process";
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { promisify } from "node:util";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { createOauthReader, signInFor } from "./support/docs-oauth.ts";
import { createMoneyOf, type Created } from "./support/docs-money.ts";
import { readDocsSnippets, type DocsSnippet } from "./support/docs-snippets.ts";
import { startDocsWorld, type DocsWorld } from "./support/docs-world.ts";
import { repository } from "./support/source-files.ts";

const run = promisify(execFile);

/**
 * Readers copy the code of the documentation, so it is type-checked against the client as it is published. The samples
 * of the references run against a live gateway and a live identity provider, with the reader's own key, addresses and
 * ids. `docs-guides.system.test.ts` pastes the guides as they are written, except for their receivers.
 */
const snippets = await readDocsSnippets();
const ofKind = (kind: DocsSnippet["kind"], language: string): DocsSnippet[] =>
  snippets.filter((snippet) => snippet.kind === kind && snippet.language === language);
const samples = (language: string): DocsSnippet[] =>
  ofKind("run", language).filter(({ place }) => !place.startsWith("guides/"));

const secret = `whsec_${"x".repeat(43)}`;
const event = JSON.stringify({
  id: "evt_01kk96r47ye8natj7106bwf8a9",
  type: "payment.settled",
  created: "2026-03-09T11:47:03.550Z",
  data: { object: { id: "pay_01kk96r47yfe8vn4k17dtwp5pr", amount: 1250, currency: "EUR", status: "settled" } },
  livemode: false,
});

let world: DocsWorld;

beforeAll(async () => {
  world = await startDocsWorld(snippets);
}, 120_000);
afterAll(() => world.stop());

test("snippets are found, and few only show a shape", () => {
  const shapes = snippets.filter(({ kind }) => kind === "shape").map(({ name }) => name);
  console.log(`${snippets.length} snippets: ${snippets.length - shapes.length} are run, ${shapes.length} show a shape`);
  expect(snippets.length).toBeGreaterThan(90);
  expect(shapes).toEqual(["guides/first-call 4, sh"]);
});

test("every TypeScript snippet, shapes too, type-checks strictly against the packed client", async () => {
  const compilerOptions = {
    strict: true,
    exactOptionalPropertyTypes: true,
    noUncheckedIndexedAccess: true,
    noUnusedLocals: true,
    allowImportingTsExtensions: true,
    erasableSyntaxOnly: true,
    skipLibCheck: true,
    target: "esnext",
    types: ["node"],
    module: "nodenext",
    noEmit: true,
  };
  await writeFile(join(world.folder, "tsconfig.json"), JSON.stringify({ compilerOptions, include: ["*.ts"] }));
  const compiler = join(repository, "node_modules/typescript/bin/tsc");
  const { stdout } = await run(process.execPath, [compiler, "-p", world.folder]).catch(
    (failed: { stdout: string }) => failed,
  );
  expect(stdout).toBe("");
});

describe("run against a live gateway and identity provider", () => {
  test.each(samples("ts"))("$name", async ({ id, code }) => {
    const { env, own } = await createReader(code);
    expect(await world.runner.run(await writeOnward(id, own(code)), env)).toBe("");
  });

  test.each(samples("sh"))("$name", async ({ code, answers }) => {
    const { env, own } = await createReader(code);
    const { stdout, stderr, statuses } = await world.paste(asOfNow(own(code)), env);
    expect(statuses, stdout).not.toEqual([]);
    expect(statuses, stdout + stderr).toEqual(statuses.map((status) => answers ?? (status === 201 ? 201 : 200)));
  });
});

describe("what is for people at the console is refused to everybody else", () => {
  test.each(ofKind("person", "sh"))("$name", async ({ code }) => {
    const { env, own } = await createReader(code);
    const asKey = own(code).replace("Authorization: Bearer $ACCESS_TOKEN", "X-API-Key: $GATEWAY_API_KEY");
    const { stdout, statuses } = await world.paste(asKey, env);
    expect(statuses).toEqual([403]);
    expect(JSON.parse(stdout)).toMatchObject({ error: { code: "PERSON_REQUIRED" } });
  });
});

describe("a receiver takes an authentic delivery and refuses others", () => {
  test.each(ofKind("receiver", "ts"))("$name", async ({ id, code }) => {
    const port = await findFreePort();
    const script = code.includes("export async function POST") ? await writeFetchServer(id) : `${id}.ts`;
    const env = { PORT: String(port), WEBHOOK_SECRET: secret };
    const receiver = startProcess(process.execPath, [script], { cwd: world.folder, env });
    try {
      const post = async (body: string, signature: string): Promise<number> => {
        const headers = { "Content-Type": "application/json", "X-Service-Signature": signature };
        const answer = await fetch(`http://127.0.0.1:${port}/gateway`, { method: "POST", headers, body });
        return answer.status;
      };
      const signature = await sign();
      const first = await waitFor(() => post(event, signature));
      const old = await sign(Math.floor(Date.now() / 1000) - 301);
      const others = [
        await post(event.replace("1250", "9250"), signature),
        await post(event, old),
        await post(event, "t=1"),
      ];
      expect([first, ...others]).toEqual([200, 400, 400, 400]);
      expect(receiver.stdout()).toMatch(/pay_01kk96r47yfe8vn4k17dtwp5pr: 1250 EUR arrived|payment\.settled evt_/);
    } finally {
      await receiver.destroy();
    }
  });

  test.each(ofKind("delivery", "sh"))("$name, by hand: its own example, and no other", async ({ code }) => {
    const verify = (script: string): Promise<string> =>
      world.paste(script).then(
        ({ stdout }) => stdout,
        (failed: { stdout: string }) => failed.stdout,
      );
    const [, signature = ""] = /,v1=([0-9a-f]{64})'/.exec(code) ?? [];
    expect(await verify(code)).toBe("authentic\n");
    expect(await verify(code.replace(",v1=", `,v1=${"0".repeat(64)},v1=`))).toBe("authentic\n");
    expect(
      await verify(
        code.replace(
          signature,
          signature.replace(/.$/, (last) => (last === "0" ? "1" : "0")),
        ),
      ),
    ).toBe("refused\n");
    expect(await verify(code.replace("payment.settled", "payment.failed"))).toBe("refused\n");
  });
});

function sign(timestampSeconds = Math.floor(Date.now() / 1000)): Promise<string> {
  return signPayload({ body: event, secrets: [secret], timestampSeconds });
}

type Reader = {
  env: Record<string, string>;
  /** Replaces the example's values with the reader's own. */
  own(code: string): string;
};

/** Creates a reader with an account, and the resources that the snippet names. */
async function createReader(code: string): Promise<Reader> {
  const account = await world.gateway.createAccount();
  const { secret: key } = await world.gateway.createKey(account, "admin");
  const create = async (noun: string, body?: object): Promise<Created> => {
    const answer = await world.gateway.call({ method: "POST", target: `/api/v1/${noun}`, key, ...(body && { body }) });
    return (answer.json as { data: Created }).data;
  };
  const money = createMoneyOf(create, code);
  const names = {
    WALLET_ID: () => createWallet(),
    BTC_WALLET_ID: () => money.createWallet("BTC"),
    USD_WALLET_ID: () => money.createWallet("USD"),
    ORDER_ID: () => money.createOpenOrder(),
    LEDGER_ACCOUNT_ID: () => createLedgerAccount(),
    LEDGER_TRANSACTION_ID: () => createLedgerTransaction(),
    COUNTERPARTY_ID: () => money.createCounterparty(),
    KYC_VERIFICATION_ID: () => money.createVerification(),
    PAYMENT_ID: () => money.createPayment(),
    DEPOSIT_ID: () => money.createDeposit(),
    TRANSFER_ID: async () => (await money.createTransfer(5_000_000)).id,
    APPROVAL_ID: async () => (await money.createTransfer(1_000_000_000)).approvalId,
    ADDRESS_BOOK_ENTRY_ID: () => createAddressBookEntry(),
    AUDIT_EVENT_ID: () => findAuditEvent(),
    REQUEST_ID: () => findLoggedRequest(),
    API_KEY_ID: async () => (await create("api-keys", { name: "Mine", permission: "read" })).id,
    WEBHOOK_ID: async () => (await createWebhook()).id,
    DELIVERY_ID: async () => (await createDelivery()).id,
    EVENT_ID: async () => (await createDelivery()).eventId,
    VALUATION_ID: async () => (await create("valuations", {})).id,
    SYMBOL: async () => "BTC-USD",
    // Every past minute has a round.
    ROUND_ID: async () => String(Math.floor(Date.now() / 60_000) * 6 - 60),
    PERSON_ID: async () => (await create("people", { email: `of-${account.id}@example.com`, role: "viewer" })).id,
    APPLICATION_ID: async () => oauth.client.application.id,
  };
  const createWallet = async (): Promise<string> => {
    if (code.includes("/close")) {
      return (await create("wallets", { name: "Mine", currency: "EUR" })).id;
    }
    const id = await money.createWallet("EUR");
    if (code.includes("unfreeze")) {
      await create(`wallets/${id}/freeze`);
    }
    return id;
  };
  const holdBitcoin = async (): Promise<void> => {
    await money.createWallet("BTC");
    await world.gateway.platform.ledger.seals.sealNow(account.id);
  };
  const createLedgerAccount = async (): Promise<string> =>
    (await create("ledger-accounts", { name: "Mine", currency: "EUR", mayBeNegative: true })).id;
  const createLedgerTransaction = async (): Promise<string> => {
    const sides = [
      { ledgerAccountId: await createLedgerAccount(), direction: "debit", amount: 100 },
      { ledgerAccountId: await createLedgerAccount(), direction: "credit", amount: 100 },
    ];
    return (await create("ledger-transactions", { entries: sides })).id;
  };
  // Only people may write to the address book, so the service creates the entry.
  const createAddressBookEntry = async (): Promise<string> => {
    const address = "0x52908400098527886e0f7030069857d2e4169ee7";
    const entry = { accountId: account.id, network: "ethereum", address, name: "Mine" } as const;
    return (await world.gateway.platform.custody.addressBook.create(entry)).id;
  };
  const newestOf = async (list: string): Promise<string> => {
    const { json } = await world.gateway.call({ method: "GET", target: `/api/v1/${list}`, key });
    return (json as { data: { id: string }[] }).data[0]?.id ?? "";
  };
  const findAuditEvent = (): Promise<string> => newestOf("audit-events");
  // The previous request is logged by now, or else the previous poll is.
  const findLoggedRequest = (): Promise<string> =>
    waitFor(async () => (await newestOf("request-logs")) || null, { intervalMs: 100 });
  const createWebhook = (): Promise<Created> =>
    create("webhooks", { url: "https://hooks.example.com/mine", events: ["wallet.created"] });
  const createDelivery = async (): Promise<Created> =>
    create(`webhooks/${(await createWebhook()).id}/test`, { type: "wallet.created" });
  // Wallets to list, on more than one page of two.
  for (const name of ["One", "Two", "Three"]) {
    await create("wallets", { name, currency: "EUR" });
  }
  const oauth = await createOauthReader(world.auth, account);
  const env: Record<string, string> = {
    ...world.shell,
    ...oauth.env,
    ...(await signInFor(code, { auth: world.auth, reader: oauth })),
    GATEWAY_URL: `http://127.0.0.1:${world.gateway.port}`,
    GATEWAY_API_KEY: key,
  };
  for (const [name, make] of Object.entries(names)) {
    if (new RegExp(`\\b${name}\\b`).test(code)) {
      env[name] = await make();
    }
  }
  if (/\bpositions\b/.test(code)) {
    await holdBitcoin();
  }
  const others = new Map<string, string>();
  const makers = {
    lac: createLedgerAccount,
    cpy: () => money.createCounterparty(),
    wal: (field: string) => money.createWallet(currencyOf(field)),
  };
  const currencyOf = (field: string) => {
    // The document's examples trade BTC-USD, pay in EUR, and send USDC.
    const traded = { baseWalletId: "BTC", quoteWalletId: "USD" } as const;
    if (field === "baseWalletId" || field === "quoteWalletId") {
      return traded[field];
    }
    return /[/.]payments\b/.test(code) ? "EUR" : "USDC";
  };
  for (const [, field = "", id = "", prefix = ""] of code.matchAll(
    /(?:\b(\w+)"?: ?"?)?\b((lac|cpy|wal)_[0-9a-z]{26})\b/g,
  )) {
    others.set(id, await makers[prefix as keyof typeof makers](field));
  }
  const own = (text: string): string =>
    text.replaceAll(/\b(?:lac|cpy|wal)_[0-9a-z]{26}\b/g, (id) => others.get(id) ?? id);
  return { env, own };
}

/** Replaces the times of the document's examples, because events can be replayed for 30 days only. */
function asOfNow(code: string): string {
  return code.replaceAll(/"?(?:since|until)"?: "[^"]*"/g, (pair) =>
    pair.replace(/"[^"]*"$/, `"${new Date(Date.now() - (pair.includes("since") ? 60_000 : 0)).toISOString()}"`),
  );
}

async function writeOnward(id: string, code: string): Promise<string> {
  await writeFile(join(world.folder, `${id}.ts`), asOfNow(code));
  return `${id}.ts`;
}

/** Writes a server around the snippet's function, as a platform with the Fetch API would provide it. */
async function writeFetchServer(id: string): Promise<string> {
  const name = `serve-${id}.mjs`;
  await writeFile(
    join(world.folder, name),
    `import { createServer } from "node:http";
     import { Readable } from "node:stream";
     import { POST } from "./${id}.ts";
     createServer(async (req, res) => {
       const init = { method: req.method, headers: req.headers, body: Readable.toWeb(req), duplex: "half" };
       res.writeHead((await POST(new Request("http://receiver.example" + req.url, init))).status).end();
     }).listen(Number(process.env.PORT));`,
  );
  return name;
}
