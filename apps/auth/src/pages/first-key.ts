import type { ApiKeyWithSecret, Membership } from "@gateway/platform/accounts";
import { notifyOwners } from "@gateway/platform/acts/notify-owners";
import { auditOriginOf } from "../browser/audit-origin.ts";
import { lacksSecondFactor } from "../provider/second-factor-rule.ts";
import { html, type Html } from "../views/html.ts";
import { renderAccountName } from "../views/strangers-name.ts";
import { formPage } from "./form-page.ts";
import { findOwnAccount } from "./own-account.ts";
import { noticeOf } from "./notices.ts";
import { page, redirect, type PageAnswer, type PageContent, type PageDeps, type SignedInVisit } from "./page.ts";
import { userOf } from "./signed-in.ts";

export function firstKeyPath(accountId: string): string {
  return `/account/first-key/${accountId}`;
}

/** The page after a sign-up. One press creates a key, and one line in a terminal then gets a response of the API. */
export async function showFirstKey(visit: SignedInVisit, deps: PageDeps): Promise<PageAnswer> {
  const account = await findOwnAccount(visit, deps);
  if (await lacksSecondFactor(deps, visit.session, account)) {
    return redirect(`/account/rules/${account.accountId}`);
  }
  const [isFirst] = await deps.platform.accounts.apiKeys.findAccountsWithout([account.accountId]);
  return isFirst ? offerPage(visit, deps, account) : takenPage(deps, 200);
}

/** Only this response shows the key. Loading the page again reports that the key exists. */
export async function submitFirstKey(visit: SignedInVisit, deps: PageDeps): Promise<PageAnswer> {
  const account = await findOwnAccount(visit, deps);
  const { accountId, personId } = account;
  if (await lacksSecondFactor(deps, visit.session, account)) {
    return redirect(`/account/rules/${accountId}`);
  }
  const { userId } = visit.session;
  const { email } = await userOf(visit, deps);
  const key = await deps.platform.transaction(
    async (services) => {
      const made = await services.accounts.apiKeys.createFirst({ accountId, userId });
      if (made) {
        const from = { by: `${email}, signed in to their account`, clientAddress: visit.req.ip ?? null };
        const notice = { kind: "admin_key_created", apiKeyId: made.id, hint: made.hint, ...from } as const;
        await notifyOwners(services, accountId, notice);
      }
      return made;
    },
    { origin: auditOriginOf(visit.req, personId) },
  );
  return key ? keyPage(key, deps) : takenPage(deps, 409);
}

function offerPage(visit: SignedInVisit, deps: PageDeps, account: Membership): PageContent {
  return formPage(visit, {
    title: "Your first API key",
    notice: noticeOf(visit),
    lead: html`<p>
        Programs call the API with a key. Make one for the account <strong>${renderAccountName(account)}</strong>.
      </p>
      <p class="hint">
        It can do everything in the account, including creating keys that can do less. You see it once: store it where
        you keep passwords.
      </p>`,
    action: firstKeyPath(account.accountId),
    buttons: ["Create the key"],
    after: renderWaysOn(deps),
  });
}

function keyPage({ secret }: ApiKeyWithSecret, deps: PageDeps): PageContent {
  return page({
    title: "Your first API key",
    body: html`<p>Copy it now: it is shown only this once, and stored nowhere.</p>
      ${renderCopyable(secret)}
      <h2>Your first call</h2>
      <p>It changes nothing, and shows that the key works:</p>
      ${renderCopyable(`curl -s -H "X-API-Key: ${secret}" ${deps.apiUrl}/api/v1/account`)} ${renderWaysOn(deps)}`,
  });
}

function takenPage(deps: PageDeps, status: number): PageContent {
  return page({
    title: "There is a key already",
    status,
    body: html`<p>
        The first key of this account was already created, and a key is shown only then. Create another one with a key
        that you have:
        <code>POST ${deps.apiUrl}/api/v1/api-keys</code>
      </p>
      ${renderWaysOn(deps)}`,
  });
}

function renderWaysOn({ docsUrl, consoleUrl }: PageDeps): Html {
  return html`<nav class="links" aria-label="Ways on">
    ${docsUrl !== null && html`<p><a href="${docsUrl}/guides/first-call">First call in five minutes</a></p>`}
    ${consoleUrl !== null && html`<p><a href="${consoleUrl}/">To the console</a></p>`}
    <p><a href="/account">Your account</a></p>
  </nav>`;
}

function renderCopyable(text: string): Html {
  return html`<pre class="copyable"><code>${text}</code></pre>`;
}
