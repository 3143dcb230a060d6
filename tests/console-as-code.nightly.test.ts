import type { Locator, Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { bodyOf, makeCodeRoom, startRecorder, type Asked, type CodeRoom, type Recorder } from "./support/as-code.ts";
import { startChromium } from "./support/chromium.ts";
import type { ConsolePage } from "./support/console-page.ts";
import { provideConsole } from "./support/console-visit.ts";
import { destinationAddress } from "./support/destination-address.ts";
import { fillAccount } from "./support/fill-account.ts";

const chromium = await startChromium();

/** A name with everything that a shell expands, even at an interactive prompt. */
const hostile = 'It\'s "$(touch owned)" `touch owned` !! \\ a\u2028b';

/** Input for the fields of the dialogs, by their labels. */
const typed: readonly (readonly [RegExp, string])[] = [
  [/^E-mail/, "as-code-#@example.com"],
  [/^To the address/, destinationAddress],
  [/^Address/, "https://hooks.example.com/as-code"],
  [/^Redirect URIs/, "https://app.example.com/callback"],
  [/^Amount in BTC|^Amount$/, "0.02"],
  [/^Amount/, "1.00"],
  [/^Quantity/, "0.5"],
  [/^(?:Limit price|Price)/, "100.00"],
  [/^External id/, "as-code-#"],
  [/^(?:Name|Description|Comment|Why)/, hostile],
];

/** The option to choose where there are several. The second wallet differs from the first. */
const chosen: readonly (readonly [RegExp, RegExp])[] = [
  [/^Instrument/, /BTC-USD/],
  [/^Wallet of the first/, /BTC/],
  [/^Wallet of the second/, /USD/],
  [/^To$/, /Grace/],
  [/^From/, /^It's[^]*EUR$/],
];

/**
 * Actions that the current state refuses for any caller. The test only requires that all callers send the same request.
 */
const refused: Readonly<Record<string, string>> = {
  "/transfers, a row: Simulate the end": "INVALID_STATE",
  "/wallets, a row: Close": "WALLET_NOT_EMPTY",
};

/** Makes the values of each dialog unique, because some duplicates are refused. */
let times = 0;

/** Replaces times, because the code runs a moment after the press. */
const moments = (value: unknown): string =>
  (JSON.stringify(value) ?? "").replaceAll(/\d{4}-\d\d-\d\dT[\d:.%A]+Z/g, "a moment");

/** The code of a screen's contents and actions. When it runs, it sends exactly the same request. */
describe.skipIf(chromium === null)("As code", () => {
  const used = provideConsole(chromium);
  let world: ConsolePage;
  let page: Page;
  let recorder: Recorder;
  let room: CodeRoom;
  const asked: string[] = [];

  beforeAll(async () => {
    ({ world } = used);
    const { person, api } = await world.createAccount();
    const { secret } = await world.system.auth.platform.transaction(({ accounts }) =>
      accounts.apiKeys.create({ accountId: person.account.id, name: "Code", permission: "admin", expiresAt: null }),
    );
    recorder = await startRecorder(world.system.auth.apiUrl);
    room = await makeCodeRoom({ apiUrl: recorder.url, key: world.system.auth.watch.note(secret) });
    await fillAccount(api, { name: hostile, webhookUrl: "https://hooks.example.com/" });
    page = await world.openPage();
    page.on("request", (request) => {
      const { pathname, search } = new URL(request.url());
      if (pathname.startsWith("/api/v1/")) {
        asked.push(moments(`${request.method()} ${pathname}${search}`));
      }
    });
    await world.signIn(page, person);
  }, 180_000);
  afterAll(async () => {
    await page?.context().close();
    await recorder?.stop();
  });

  /** All actions of a screen and of its first row's pane, in an order in which each one allows the next. */
  const screens: Readonly<Record<string, { dialogs?: readonly string[]; pane?: readonly string[] }>> = {
    "/": {},
    "/inbox?queue=approvals": { pane: ["Approve", "Reject", "Simulate an owner"] },
    "/inbox?queue=kyc&status=all": { pane: ["Verify"] },
    "/wallets": { dialogs: ["Create wallet"], pane: ["Fund", "Rename", "Freeze", "Unfreeze", "Close"] },
    "/payments": { dialogs: ["Make a payment"], pane: ["Simulate the end"] },
    "/transfers": { dialogs: ["Send a transfer"], pane: ["Simulate the end", "Cancel"] },
    "/transfers?view=rules": { dialogs: ["Add a rule", "Change", "Remove", "Add an address"] },
    "/orders": { dialogs: ["Place an order"], pane: ["Replace", "Cancel"] },
    "/ledger": { pane: [] },
    "/ledger?view=transactions": { pane: [] },
    "/webhooks": {
      dialogs: ["Add webhook"],
      pane: ["Send test event", "Edit", "Roll secret", "Disable", "Enable", "Delete"],
    },
    "/deliveries": { pane: ["Resend"] },
    "/events": { pane: [] },
    "/applications": { dialogs: ["Register application"], pane: ["Edit", "Delete"] },
    "/sandbox": { dialogs: ["Set a price"] },
    "/people": { dialogs: ["Invite"], pane: ["Change role", "Withdraw invitation"] },
    "/settings": { dialogs: ["Change address", "Rename"] },
    "/keys": { dialogs: ["Create key"], pane: ["Roll", "Revoke"] },
  };

  test.for(Object.entries(screens))(
    "of %s does what the screen does, and so does that of each of its dialogs",
    { timeout: 600_000 },
    async ([path, { dialogs = [], pane }]) => {
      await open(path);
      let reads = (await readScreen()).length;
      for (const name of dialogs) {
        await open(path);
        await doDialog(name, `${path}: ${name}`);
      }
      if (pane !== undefined) {
        await openFirst(path);
        reads += (await readScreen()).length;
      }
      // A row's buttons open the same dialogs as the pane next to the list. Their hidden text, which names the row for
      // screen readers, is left out.
      const offered = await page.evaluate<string[]>(
        `[...document.querySelectorAll("main .actions button.button:not([aria-disabled=true])")].map((button) =>
          [...button.childNodes].map(({ className, textContent }) => (className === "unseen" ? "" : textContent)).join("").trim())`,
      );
      const known = [...dialogs, ...(pane ?? []), ...notHere];
      // The sandbox's clock moves without a dialog, and its code is on the screen.
      expect(offered.filter((name) => !known.includes(name) && !name.startsWith("+"))).toEqual([]);
      for (const name of pane ?? []) {
        await openFirst(path);
        await doDialog(name, `${path}, a row: ${name}`);
      }
      console.log(`${path}: ${reads} reads, ${dialogs.length + (pane ?? []).length} dialogs`);
      expect(reads).toBeGreaterThan(0);
    },
  );

  /** Opens the first row of the list, with its pane. */
  async function openFirst(path: string): Promise<void> {
    await open(path);
    await page.locator(".row-link").first().click();
    await page.locator("aside.pane h2").first().waitFor();
    await settled();
  }

  async function open(path: string): Promise<void> {
    await page.goto(`${world.system.consoleUrl}${path}`);
    await page.getByRole("main").waitFor();
    await settled();
    await page.locator("main h1").first().waitFor();
  }

  /**
   * Waits until everything is loaded. When the people of an account have used up their reads of a minute, the page
   * waits for the next one.
   */
  async function settled(): Promise<void> {
    await page.waitForLoadState("networkidle");
    await expect.poll(() => page.locator(".loading").count(), { timeout: 90_000 }).toBe(0);
    await page.waitForLoadState("networkidle");
  }

  /** Runs the snippets of all parts of a screen, in both languages. */
  async function readScreen(): Promise<string[]> {
    // A signed delivery goes to the receiver of its webhook. signed-curl.edge.test.ts runs that snippet.
    const snippets = (await snippetsIn(page.getByRole("main"))).filter(({ curl }) => !curl.startsWith("BODY="));
    const targets: string[] = [];
    const isRead = ({ curl }: Snippet): boolean => !curl.includes(" -X ") && !curl.includes("--data-raw");
    const reads = snippets.filter(isRead);
    for (const { curl } of reads) {
      recorder.pass(null);
      expect(await room.curl(atRecorder(curl))).toHaveProperty("data");
      expect(recorder.last().status).toBe(200);
      const [one] = recorder.take();
      expect(asked, curl).toContain(moments(`${one?.method} ${one?.target}`));
      targets.push(moments(one));
    }
    if (reads.length > 0) {
      await room.typescript(reads.map(({ typescript }) => typescript));
      expect(recorder.take().map(moments)).toEqual(targets);
    }
    // Actions by a press on the screen itself, without a dialog.
    for (const { curl, typescript } of snippets.filter((one) => !isRead(one))) {
      await room.curl(atRecorder(curl));
      expect(recorder.last().status, curl).toBeLessThan(300);
      await room.typescript([typescript]);
      const [byCurl, byProgram] = recorder.take();
      expect(moments(byProgram)).toBe(moments(byCurl));
      targets.push(moments(byCurl));
    }
    return targets;
  }

  /** Opens a dialog. The press on the button, the shell and the program must send the same request. */
  async function doDialog(name: string, where: string): Promise<void> {
    await page.getByRole("main").locator("button[data-operation]").getByText(name, { exact: true }).first().click();
    const dialog = page.getByRole("dialog");
    await dialog.locator("form").waitFor();
    await page.waitForLoadState("networkidle");
    await fillIn(dialog);
    const submit = dialog.locator("button[type=submit]");
    await expect.poll(() => submit.getAttribute("aria-disabled"), { timeout: 75_000, message: where }).not.toBe("true");
    const [snippet] = await snippetsIn(dialog);
    expect(snippet, `${where} has code: ${await dialog.innerText()}`).toBeDefined();
    const { curl = "", typescript = "" } = snippet ?? {};
    const isOfPerson = curl.includes("$ACCESS_TOKEN");
    recorder.pass(isOfPerson ? nothing : null);
    const answered = await room.curl(atRecorder(curl));
    const [byCurl] = recorder.take();
    if (!isOfPerson) {
      const refusal = refused[where];
      if (refusal === undefined) {
        expect(recorder.last().status, `${where}: ${JSON.stringify(answered)}`).toBeLessThan(300);
      } else {
        expect(answered, where).toMatchObject({ error: { code: refusal } });
      }
    }
    const answer = isOfPerson ? nothing : recorder.last();
    recorder.pass(answer);
    await room.typescript([typescript]);
    const [byProgram] = recorder.take();
    const pressed: Asked[] = [];
    await page.route("**/api/v1/**", async (route) => {
      const request = route.request();
      if (request.method() === "GET") {
        await route.continue();
        return;
      }
      const { pathname, search } = new URL(request.url());
      pressed.push({ method: request.method(), target: pathname + search, body: bodyOf(request.postData()) });
      // The shell has done it already.
      await route.fulfill({ status: answer.status, contentType: "application/json", body: answer.text });
    });
    await submit.click();
    await expect.poll(() => pressed.length, { timeout: 60_000, message: where }).toBe(1);
    await page.unroute("**/api/v1/**");
    expect(moments(byCurl), where).toBe(moments(pressed[0]));
    expect(moments(byProgram), where).toBe(moments(pressed[0]));
  }

  /** Actions without an operation, without an effect here, or available only for a moment. */
  const notHere = ["Check a signature", "Resend matching", "Replay", "Simulate the checks", "Cancel", "Reject"];
  const nothing = { status: 200, text: JSON.stringify({ data: {}, meta: { requestId: "req_", timestamp: "" } }) };

  /** The snippet of the page, with the address of the recorder in front of the API. */
  function atRecorder(snippet: string): string {
    expect(snippet).toContain(world.system.auth.apiUrl);
    return snippet.replaceAll(world.system.auth.apiUrl, recorder.url);
  }
});

type Snippet = { curl: string; typescript: string };

async function snippetsIn(part: Locator): Promise<Snippet[]> {
  const all = part.locator("details.as-code");
  await all.evaluateAll((elements) => {
    for (const element of elements) {
      element.setAttribute("open", "");
    }
  });
  const count = await all.count();
  if (count === 0) {
    return [];
  }
  const read = async (language: string): Promise<string[]> => {
    await all.first().getByRole("button", { name: language, exact: true }).click();
    return all.locator("pre").allTextContents();
  };
  const typescript = await read("TypeScript");
  const curl = await read("curl");
  return curl.map((one, index) => ({ curl: one, typescript: typescript[index] ?? "" }));
}

/** Fills each empty field. */
async function fillIn(dialog: Locator): Promise<void> {
  const isOfCoins = dialog.page().url().includes("/transfers");
  const isShownToOthers = /\/(?:applications|settings)/.test(dialog.page().url());
  times += 1;
  for (const field of await dialog.locator(".field").all()) {
    const label = ((await field.locator("label, legend").first().textContent()) ?? "").trim();
    const select = field.locator("select");
    if ((await select.count()) > 0) {
      if ((await select.inputValue()) === "") {
        const wanted = isOfCoins ? /^Cold/ : (chosen.find(([pattern]) => pattern.test(label))?.[1] ?? /./);
        const choose = async (): Promise<number> => {
          const texts = await select.locator("option").allTextContents();
          return texts.findIndex((text, index) => index > 0 && wanted.test(text));
        };
        // The options are read when the dialog opens, and wait their turn when much was read before.
        await expect.poll(choose, { timeout: 75_000, message: label }).toBeGreaterThan(0);
        await select.selectOption({ index: await choose() });
      }
      continue;
    }
    const choices = field.locator("input[type=radio], input[type=checkbox]");
    if ((await choices.count()) > 0) {
      if ((await field.locator("input:checked").count()) === 0) {
        await choices.first().check();
      }
      continue;
    }
    const input = field.locator("input, textarea");
    const text = typed.find(([pattern]) => pattern.test(label))?.[1];
    if (text !== undefined && (await input.count()) > 0) {
      // People who decide whether an application may get in see its whole name and the account's.
      await input.fill(isShownToOthers ? text.replace("\u2028", "") : text.replace("#", String(times)));
    }
  }
}
