import { kindOfCode, type SecondFactor, type User } from "@gateway/platform/auth";
import type { Html } from "../views/html.ts";
import { formPage, type FormProblem } from "./form-page.ts";
import { mailedUrl } from "./mailed-link.ts";
import type { PageContent, PageDeps, Visit } from "./page.ts";
import { refuse, tellLimit, tellOfLockout } from "./tries.ts";

/** Checks a code of the authenticator app, or a recovery code. The caller has already identified the user. */
export async function checkCode(
  visit: Visit,
  deps: PageDeps,
  user: User,
): Promise<{ secondFactor: SecondFactor } | FormProblem> {
  const code = visit.form.get("code") ?? "";
  if (code.trim() === "") {
    return { faults: { code: "Enter the code." } };
  }
  const device = deps.devices.nameOf(visit.req, user.email);
  const verdict = tellLimit(visit, await deps.throttle.code({ userId: user.id, address: visit.req.ip, device }));
  if (verdict.kind !== "allowed") {
    tellOfLockout(deps, verdict, { email: user.email, clientAddress: visit.req.ip ?? null, isByCodes: true });
    return refuse(verdict, "Too many attempts with a wrong code. Wait %s, then try again, or sign in with a passkey.");
  }
  const secondFactor = await use(deps, user, code);
  if (secondFactor === null) {
    return { faults: { code: "The code is wrong, or was used already. Enter the one that the app shows now." } };
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
  links?: Html;
};

export function codePage(visit: Visit, { action, hidden, links }: CodeView, problem?: FormProblem): PageContent {
  const field = {
    ...{ name: "code", label: "Code", autocomplete: "one-time-code", isFirst: true },
    hint: "The six digits that your authenticator app shows now, or one of your recovery codes.",
  };
  const form = { title: "Enter your code", action, hidden, fields: [field], buttons: ["Go on"], after: links };
  return formPage(visit, form, problem);
}
