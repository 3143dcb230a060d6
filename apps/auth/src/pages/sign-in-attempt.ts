import type { User } from "@gateway/platform";
import type { Verdict } from "../browser/throttle.ts";
import type { BrowserSession } from "../browser/browser-session.ts";
import { wholeForm, type Faults } from "../views/form.ts";
import { describeUserAgent } from "../views/describe-user-agent.ts";
import { readKnownEmail } from "./fields.ts";
import { mailedUrl } from "./mailed-link.ts";
import { Refusal, type PageDeps, type Visit } from "./page.ts";
import { tellLimit } from "./tell-limit.ts";

/** What the sign-in page says when it did not work, and with which status. */
export type FailedSignIn = {
  kind: "failed";
  status: number;
  retryAfterSeconds?: number;
  faults: Faults;
  email: string;
};
export type SignInOutcome = FailedSignIn | { kind: "signedIn"; session: BrowserSession };

/**
 * A try with a password. An address without a user takes as long and fails as one with another password does. `only`: the one user
 * who may be it.
 */
export async function signInWithPassword(visit: Visit, deps: PageDeps, only?: User): Promise<SignInOutcome> {
  const email = (only?.email ?? visit.form.get("email") ?? "").trim();
  const missing = only ? {} : faultsOf("email", readKnownEmail(visit.form));
  const password = visit.form.get("password") ?? "";
  const faults = { ...missing, ...(password === "" && { password: "Enter your password." }) };
  if (Object.keys(faults).length > 0) {
    return { kind: "failed", status: 422, faults, email };
  }
  const device = deps.devices.nameOf(visit.req, email);
  const verdict = tellLimit(visit, await deps.throttle.password({ email, address: visit.req.ip, device }));
  if (verdict.kind !== "allowed") {
    if (verdict.kind === "refused" && verdict.isLockout) {
      tellOfLockout(deps, { email, clientAddress: visit.req.ip ?? null });
    }
    const text = "Too many attempts to sign in. Wait %s, then try again, or sign in with a passkey.";
    return { kind: "failed", ...refuse(verdict, text), email };
  }
  const user = await checkPassword(deps, {
    user: only ?? (await deps.platform.auth.users.findByEmail(email)),
    password,
  });
  if (!user) {
    const fault = only ? "The password is wrong." : "The e-mail address or the password is wrong.";
    return { kind: "failed", status: 422, faults: { [wholeForm]: fault }, email };
  }
  await verdict.giveBack();
  return { kind: "signedIn", session: await startSession(visit, deps, { user, method: "password" }) };
}

/** Only the client address is counted: guesses at a password lock nobody out of their passkey. */
export async function signInWithPasskey(visit: Visit, deps: PageDeps, only?: User): Promise<SignInOutcome> {
  const email = only?.email ?? "";
  const verdict = tellLimit(visit, await deps.throttle.passkey({ address: visit.req.ip }));
  if (verdict.kind !== "allowed") {
    return { kind: "failed", ...refuse(verdict, "Too many attempts to sign in. Wait %s, then try again."), email };
  }
  const userId = await deps.ceremonies.signIn(visit.form.get("credential") ?? "", visit.browser);
  const user = userId === null ? null : await deps.platform.auth.users.get(userId);
  if (!user || (only && only.id !== userId)) {
    const fault = "The passkey was not accepted. Try once more, or use your password.";
    return { kind: "failed", status: 422, faults: { [wholeForm]: fault }, email };
  }
  await verdict.giveBack();
  return { kind: "signedIn", session: await startSession(visit, deps, { user, method: "passkey" }) };
}

/** The user whose password it is, or null. */
export async function checkPassword(
  { passwords, platform }: PageDeps,
  { user, password }: { user: User | null; password: string },
): Promise<User | null> {
  const oldHash = user?.passwordHash ?? null;
  const isRight = await passwords.verify(oldHash, password);
  if (!isRight || !user || oldHash === null) {
    return null;
  }
  if (passwords.isOutdated(oldHash)) {
    await platform.auth.users.rehashPassword({ userId: user.id, oldHash, newHash: await passwords.hash(password) });
  }
  return user;
}

/** Throws a Refusal when tries cannot be counted: then nobody may try (design: no sign-in without its limit). */
export function refuse(
  verdict: Exclude<Verdict, { kind: "allowed" }>,
  text: string,
): { status: 429; retryAfterSeconds: number; faults: Faults } {
  if (verdict.kind === "storeAway") {
    throw new Refusal(503, {
      title: "Signing in is not possible at this moment",
      message: "A part of our system is not responding. Nothing was changed. Try again in a minute.",
      retryAfterSeconds: 30,
    });
  }
  const { retryAfterSeconds } = verdict;
  const minutes = Math.ceil(retryAfterSeconds / 60);
  const wait = minutes === 1 ? "a minute" : `${minutes} minutes`;
  return { status: 429, retryAfterSeconds, faults: { [wholeForm]: text.replace("%s", wait) } };
}

/** The browser is known for this user from now on. With one that was not, the user is told, unless a mail to them brought it here. */
export function startSession(
  { req, res, browser }: Visit,
  deps: PageDeps,
  { user, method }: { user: User; method: BrowserSession["method"] },
): Promise<BrowserSession> {
  const { platform, sessions, devices } = deps;
  const isNew = method !== "link" && devices.nameOf(req, user.email) === null;
  devices.remember(res, { browser, email: user.email });
  return platform.transaction(async ({ auth, mails }) => {
    if (isNew) {
      const url = mailedUrl(deps, "/account");
      await mails.notify([user.email], { kind: "signed_in_on_new_device", url, ...describeDevice(req) });
    }
    return sessions.start(req, res, { userId: user.id, method }, auth.sessions);
  });
}

/** For a mail. */
export function describeDevice(req: Visit["req"]): { device: string; clientAddress: string | null } {
  return { device: describeUserAgent(req.get("User-Agent") ?? ""), clientAddress: req.ip ?? null };
}

/** Afterwards, or its time would tell that the address has a user. */
function tellOfLockout(
  deps: PageDeps,
  { email, clientAddress }: { email: string; clientAddress: string | null },
): void {
  deps.afterwards.do(() =>
    deps.platform.transaction(async ({ auth, mails }) => {
      const user = await auth.users.findByEmail(email);
      if (user) {
        const url = mailedUrl(deps, "/password/forgotten");
        await mails.notify([user.email], { kind: "sign_in_locked", url, clientAddress });
      }
    }),
  );
}

function faultsOf(name: string, read: ReturnType<typeof readKnownEmail>): Faults {
  return "fault" in read ? { [name]: read.fault } : {};
}
