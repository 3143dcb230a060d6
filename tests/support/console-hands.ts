import type { Locator, Page } from "playwright-core";
import type { ConsolePage } from "./console-page.ts";

export type CallAnswer = { status: number; json: { data?: unknown; error?: { code: string } } };

/** What a person does at a page of the console, and what a script of that page may ask. */
export type ConsoleHands = {
  go(path: string): Promise<void>;
  /** The last button of that name: a dialog's is after those of its screen. */
  press(name: string | RegExp): Promise<void>;
  /** The button of the open dialog. */
  submit(name: string): Promise<void>;
  dialog(): Locator;
  /** What the page comes to say by itself, be it for a moment. */
  hears(text: string | RegExp): Promise<void>;
  /** From the page itself, with its cookie: as far as a script gets. */
  call(method: string, path: string, body?: unknown): Promise<CallAnswer>;
};

/** At whatever page `of` has when they are used. */
export function createHands(of: { readonly page: Page; readonly world: Pick<ConsolePage, "system"> }): ConsoleHands {
  const dialog = (): Locator => of.page.getByRole("dialog");
  const named = (name: string | RegExp) => ({ name, exact: typeof name === "string" });
  return {
    dialog,
    go: async (path) => {
      await of.page.goto(`${of.world.system.consoleUrl}${path}`);
      await of.page.getByRole("heading", { level: 1 }).waitFor({ state: "attached" });
    },
    press: (name) => of.page.getByRole("button", named(name)).last().click(),
    submit: async (name) => {
      await dialog().getByRole("button", named(name)).click();
      await dialog().waitFor({ state: "detached" });
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
 * The sign-in of this person at the identity provider as it would be that many seconds later. The console hears of it
 * when it asks anew.
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
  // The library's own session, which remembers when it began; ours is asked again without it.
  await page.context().clearCookies({ name: "provider" });
  const back = `${new URL(page.url()).pathname}${new URL(page.url()).search}`;
  await page.goto(`${system.consoleUrl}/sign-in?${new URLSearchParams({ return_to: back }).toString()}`);
  await page.waitForURL(`${system.consoleUrl}${back}`);
}
