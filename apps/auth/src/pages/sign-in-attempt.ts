import type { User } from "@gateway/platform/auth";
import type { BrowserSession, WhoSignsIn } from "../browser/browser-session.ts";
import { wholeForm, type Faults } from "../views/form.ts";
import { describeUserAgent } from "../views/describe-user-agent.ts";
import { readKnownEmail } from "./fields.ts";
import { mailedUrl } from "./mailed-link.ts";
import type { PageDeps, Visit } from "./page.ts";
import { refuse, tellLimit, tellOfLockout } from "./tries.ts";
import type { FormProblem } from "./form-page.ts";
import { checkCode } from "./second-factor.ts";

export type FailedSignIn = {
  kind: "failed";
  status: number;
  retryAfterSeconds?: number;
  faults: Faults;
  email: string;
};
/** The password was right but is not enough. `known` is for the form that asks for the code. */
export type CodeNeeded = { kind: "codeNeeded"; known: string; problem?: FormProblem };
export type SignInOutcome = FailedSignIn | CodeNeeded | { kind: "signedIn"; session: BrowserSession };
/** An attempt to sign in. `only` is the one user who may sign in. */
export type SignInAttempt = (visit: Visit, deps: PageDeps, only?: User) => Promise<SignInOutcome>;

/**
 * Tries a password. An address without a user takes as long and fails alike. `only` is the one user who may sign in.
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
    tellOfLockout(deps, verdict, { email, clientAddress: visit.req.ip ?? null, isByCodes: false });
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
  return (
    (await askForCode(visit, deps, user)) ?? {
      kind: "signedIn",
      session: await startSession(visit, deps, { user, method: "password" }),
    }
  );
}

/** Only a visitor who knew the password learns whether the user has a second factor. */
async function askForCode(
  { browser }: Visit,
  { platform, sealedForms }: PageDeps,
  user: User,
): Promise<CodeNeeded | null> {
  const authenticator = await platform.auth.authenticators.find(user.id);
  const content = { userId: user.id, passwordSetAtMs: user.passwordChangedAt?.getTime() ?? null };
  return authenticator && { kind: "codeNeeded", known: sealedForms.seal("password", browser, content) };
}

export async function signInWithCode(visit: Visit, deps: PageDeps, only?: User): Promise<SignInOutcome> {
  const known = visit.form.get("known") ?? "";
  const password = deps.sealedForms.open("password", visit.browser, known);
  const user = password && (await deps.platform.auth.users.get(password.userId));
  const isSame = user && (user.passwordChangedAt?.getTime() ?? null) === password?.passwordSetAtMs;
  if (!user || !isSame || (only && only.id !== user.id)) {
    const fault = "Too much time has passed since your password. Sign in once more.";
    return { kind: "failed", status: 422, faults: { [wholeForm]: fault }, email: only?.email ?? "" };
  }
  const checked = await checkCode(visit, deps, user);
  if (!("secondFactor" in checked)) {
    return { kind: "codeNeeded", known, problem: checked };
  }
  const who = { user, method: "password", secondFactor: checked.secondFactor } as const;
  return { kind: "signedIn", session: await startSession(visit, deps, who) };
}

/** Counts only the client address, so that guesses at a user's password do not lock out their passkey. */
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

/** Makes the browser known for this user. Mails the user about a new browser, unless a mailed link signed them in. */
export function startSession(
  { req, res, browser }: Visit,
  deps: PageDeps,
  { user, ...how }: { user: User } & Omit<WhoSignsIn, "userId">,
): Promise<BrowserSession> {
  const { platform, sessions, devices } = deps;
  const isNew = how.method !== "link" && devices.nameOf(req, user.email) === null;
  devices.remember(res, { browser, email: user.email });
  return platform.transaction(async (services) => {
    if (isNew) {
      const url = mailedUrl(deps, "/account");
      await services.mails.notify([user.email], { kind: "signed_in_on_new_device", url, ...describeDevice(req) });
    }
    return sessions.start(req, res, { userId: user.id, ...how }, services);
  });
}

export function describeDevice(req: Visit["req"]): { device: string; clientAddress: string | null } {
  return { device: describeUserAgent(req.get("User-Agent") ?? ""), clientAddress: req.ip ?? null };
}

function faultsOf(name: string, read: ReturnType<typeof readKnownEmail>): Faults {
  return "fault" in read ? { [name]: read.fault } : {};
}
