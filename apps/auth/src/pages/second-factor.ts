import { kindOfCode, type SecondFactor, type User } from "@gateway/platform/auth";
import { renderForm, type Faults, type Field } from "../views/form.ts";
import { html, type Html } from "../views/html.ts";
import { mailedUrl } from "./mailed-link.ts";
import { page, type PageContent, type PageDeps, type Visit } from "./page.ts";
import { refuse } from "./refuse-try.ts";
import { tellLimit } from "./tell-limit.ts";
import { tellOfLockout } from "./tell-of-lockout.ts";

export type CodeProblem = { status: number; retryAfterSeconds?: number; faults: Faults };

/** Checks a code of the authenticator app, or a recovery code. The caller has already identified the user. */
export async function checkCode(
  visit: Visit,
  deps: PageDeps,
  user: User,
): Promise<{ secondFactor: SecondFactor } | CodeProblem> {
  const code = visit.form.get("code") ?? "";
  if (code.trim() === "") {
    return { status: 422, faults: { code: "Enter the code." } };
  }
  const device = deps.devices.nameOf(visit.req, user.email);
  const verdict = tellLimit(visit, await deps.throttle.code({ userId: user.id, address: visit.req.ip, device }));
  if (verdict.kind !== "allowed") {
    tellOfLockout(deps, verdict, { email: user.email, clientAddress: visit.req.ip ?? null, isByCodes: true });
    return refuse(verdict, "Too many attempts with a wrong code. Wait %s, then try again, or sign in with a passkey.");
  }
  const secondFactor = await use(deps, user, code);
  if (secondFactor === null) {
    return {
      status: 422,
      faults: { code: "The code is wrong, or was used already. Enter the one that the app shows now." },
    };
  }
  await verdict.giveBack();
  return { secondFactor };
}

/** Notifies the user of a used recovery code by mail, because another person may have found it. */
async function use(
  { platform, issuer }: Pick<PageDeps, "platform" | "issuer">,
  { id: userId, email }: User,
  code: string,
): Promise<SecondFactor | null> {
  if (kindOfCode(code) === "totp") {
    return platform.auth.authenticators.use({ userId, code });
  }
  return platform.transaction(async ({ auth, mails }) => {
    const proved = await auth.authenticators.use({ userId, code });
    if (proved !== null) {
      const left = (await auth.authenticators.find(userId))?.recoveryCodesLeft ?? 0;
      await mails.queue(email, { kind: "recovery_code_used", url: mailedUrl({ issuer }, "/password/forgotten"), left });
    }
    return proved;
  });
}

export type CodeView = {
  action: string;
  hidden: Readonly<Record<string, string | null>>;
  problem?: CodeProblem | undefined;
  links?: Html;
};

export function codePage({ csrf }: Visit, { action, hidden, problem, links }: CodeView): PageContent {
  const { faults, ...answer } = problem ?? { faults: {} };
  const field: Field = {
    ...{ name: "code", label: "Code", autocomplete: "one-time-code", isFirst: true },
    hint: "The six digits that your authenticator app shows now, or one of your recovery codes.",
  };
  return page({
    title: "Enter your code",
    ...answer,
    body: html`${renderForm({ action, csrf, hidden, faults, fields: [field], buttons: ["Go on"] })}${links}`,
  });
}
