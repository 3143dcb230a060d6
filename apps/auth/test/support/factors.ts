import type { SecondFactor, SignInMethod } from "@gateway/platform/auth";
import { randomBytes } from "node:crypto";
import type { Browser } from "./browser.ts";
import type { TestPages } from "./pages.ts";

/** Adds a passkey that no device has, for tests that only need a user to have one. Returns its id. */
export async function addPasskeyTo(pages: TestPages, userId: string, name = "Phone"): Promise<string> {
  const id = randomBytes(16).toString("base64url");
  await pages.auth.database.kysely
    .insertInto("passkeys")
    .values({
      id,
      user_id: userId,
      name,
      public_key: Buffer.from("key"),
      counter: 0,
      transports: [],
      created_at: new Date(pages.clock.now()),
    })
    .execute();
  return id;
}

/** Starts a session as a sign-in of this kind does. */
export async function enter(
  pages: TestPages,
  browser: Browser,
  who: { userId: string; method: SignInMethod; secondFactor?: SecondFactor | null },
): Promise<string> {
  const session = await pages.auth.platform.auth.sessions.start({ ...who, userAgent: "Test", address: "" });
  browser.cookies.set("session", pages.auth.watch.note(session.secret));
  return session.id;
}
