import type { Locator, Page } from "playwright-core";
import type { ConsolePage } from "./console-page.ts";

type CallAnswer = { status: number; json: { data?: unknown; error?: { code: string } } };

/** The actions of a person at a page of the console, and the requests that a script of that page may send. */
export type ConsoleHands = {
  go(path: string): Promise<void>;
  /** Presses the last button of that name. A dialog's buttons are after those of its screen. */
  press(name: string | RegExp): Promise<void>;
  /** Presses the button of the open dialog. */
  submit(name: string): Promise<void>;
  dialog(): Locator;
  /** A field of the open dialog. */
  field(label: string | RegExp, options?: { exact: boolean }): Locator;
  /** Words of the open dialog. */
  words(text: string | RegExp): Locator;
  /** Waits for words that the page shows by itself, even if only for a moment. */
  hears(text: string | RegExp): Promise<void>;
  /** Reads a secret that is shown once, which no log may have; leaves its dialog. */
  readSecret(): Promise<string>;
  /** Calls the API from the page itself, with its cookie: the reach of a script. */
  call(method: string, path: string, body?: unknown): Promise<CallAnswer>;
};

/** Acts on the page that `of` has at the time of the action. */
export function createHands(of: { readonly page: Page; readonly world: Pick<ConsolePage, "system"> }): ConsoleHands {
  const dialog = (): Locator => of.page.getByRole("dialog");
  const named = (name: string | RegExp) => ({ name, exact: typeof name === "string" });
  return {
    dialog,
    field: (label, options) => dialog().getByLabel(label, options),
    words: (text) => dialog().getByText(text),
    go: async (path) => {
      await of.page.goto(`${of.world.system.consoleUrl}${path}`);
      await of.page.getByRole("heading", { level: 1 }).waitFor({ state: "attached" });
    },
    press: (name) => of.page.getByRole("button", named(name)).last().click(),
    submit: async (name) => {
      await dialog().getByRole("button", named(name)).click();
      await dialog().waitFor({ state: "detached" });
    },
    readSecret: async () => {
      const shown = dialog().getByLabel("Secret", { exact: true });
      const secret = of.world.system.auth.watch.note((await shown.textContent()) ?? "");
      await dialog().getByRole("button", { name: "I have stored it" }).click();
      await shown.waitFor({ state: "detached" });
      return secret;
    },
    hears: (text) => of.page.getByText(text).first().waitFor(),
    call: async (method, path, body) =>
      of.page.evaluate<CallAnswer>(
        `fetch(${JSON.stringify(`/api/v1/${path}`)}, ${JSON.stringify({
          method,
          headers: { "X-Console": "1", "Content-Type": "application/json", "Idempotency-Key": crypto.randomUUID() },
          ...(body !== undefined && { body: JSON.stringify(body) }),
        })}).then(async (response) => ({ status: response.status, json: await response.json() }))`,
      ),
  };
}

/**
 * Moves this person's sign-in at the identity provider back by that many seconds. The console learns that when it signs
 * in again.
 */
export async function ageSignIn(
  { system }: Pick<ConsolePage, "system">,
  page: Page,
  userId: string,
  seconds: number,
): Promise<void> {
  await system.auth.database.kysely
    .updateTable("sessions")
    .set({ authenticated_at: new Date(Date.now() - seconds * 1000) } as never)
    .where("user_id", "=", userId)
    .execute();
  // The library's session remembers when it began. Without it, our own session is read again.
  await page.context().clearCookies({ name: "provider" });
  const back = `${new URL(page.url()).pathname}${new URL(page.url()).search}`;
  await page.goto(`${system.consoleUrl}/sign-in?${new URLSearchParams({ return_to: back }).toString()}`);
  await page.waitForURL(`${system.consoleUrl}${back}`);
}
