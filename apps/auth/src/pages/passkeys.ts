import type { Passkey } from "@gateway/platform/auth";
import { renderForm, wholeForm, type Faults, type Field } from "../views/form.ts";
import { html } from "../views/html.ts";
import { backToAccount } from "../views/links.ts";
import { namePattern, readName } from "./fields.ts";
import { formPage, type FormProblem } from "./form-page.ts";
import { mailedUrl } from "./mailed-link.ts";
import { withNotice } from "./notices.ts";
import {
  page,
  redirect,
  Refusal,
  type PageAnswer,
  type PageContent,
  type PageDeps,
  type SignedInVisit,
} from "./page.ts";
import { describeDevice } from "./sign-in-attempt.ts";
import { userOf } from "./signed-in.ts";

export async function showAddPasskey(visit: SignedInVisit, deps: PageDeps): Promise<PageAnswer> {
  return addPage(visit, deps);
}

/** Notifies the user by mail, because a passkey that another person added would keep working for that person. */
export async function submitAddPasskey(visit: SignedInVisit, deps: PageDeps): Promise<PageAnswer> {
  const name = readName(visit.form, { what: "a name for the passkey" });
  const typed = visit.form.get("name") ?? "";
  if ("fault" in name) {
    return addPage(visit, deps, { name: typed, faults: { name: name.fault } });
  }
  const added = await deps.ceremonies.add(visit.form.get("credential") ?? "", visit.browser);
  if (!added) {
    const fault = "The passkey was not accepted. Try once more.";
    return addPage(visit, deps, { name: typed, faults: { [wholeForm]: fault } });
  }
  if (await store(visit, deps, { ...added, name: name.value })) {
    return redirect(withNotice("/account", "passkey-added"));
  }
  const fault = "You have this passkey already, or you have reached the maximum number of passkeys. Remove one first.";
  return addPage(visit, deps, { name: typed, faults: { [wholeForm]: fault } });
}

async function store(
  visit: SignedInVisit,
  deps: PageDeps,
  passkey: Pick<Passkey, "id" | "name" | "publicKey" | "counter" | "transports">,
): Promise<boolean> {
  const user = await userOf(visit, deps);
  return deps.platform.transaction(async ({ auth, mails }) => {
    const isAdded = await auth.passkeys.add({ ...visit.session, ...passkey });
    if (isAdded) {
      const url = mailedUrl(deps, "/account");
      await mails.queue(user.email, { kind: "passkey_added", url, passkeyName: passkey.name });
    }
    return isAdded;
  });
}

export async function showPasskey(visit: SignedInVisit, deps: PageDeps): Promise<PageAnswer> {
  const passkey = await findPasskey(visit, deps);
  return changePage(visit, passkey, passkey.name);
}

export async function submitRenamePasskey(visit: SignedInVisit, deps: PageDeps): Promise<PageAnswer> {
  const passkey = await findPasskey(visit, deps);
  const name = readName(visit.form, { what: "a name for the passkey" });
  if ("fault" in name) {
    return changePage(visit, passkey, visit.form.get("name") ?? "", { faults: { name: name.fault } });
  }
  await deps.platform.auth.passkeys.rename({ ...visit.session, id: passkey.id, name: name.value });
  return redirect(withNotice("/account", "passkey-renamed"));
}

export async function submitRemovePasskey(visit: SignedInVisit, deps: PageDeps): Promise<PageAnswer> {
  const passkey = await findPasskey(visit, deps);
  const user = await userOf(visit, deps);
  await deps.platform.transaction(async ({ auth, mails }) => {
    if (await auth.passkeys.remove({ ...visit.session, id: passkey.id })) {
      const url = mailedUrl(deps, "/account");
      const notice = {
        kind: "passkey_removed",
        url,
        passkeyNames: [passkey.name],
        ...describeDevice(visit.req),
      } as const;
      await mails.notify([user.email], notice);
    }
  });
  return redirect(withNotice("/account", "passkey-removed"));
}

async function findPasskey({ req, session }: SignedInVisit, { platform }: PageDeps): Promise<Passkey> {
  const own = await platform.auth.passkeys.listOfUser(session.userId);
  const passkey = own.find(({ id }) => id === req.params["passkeyId"]);
  if (!passkey) {
    throw new Refusal(404, {
      title: "There is no such passkey",
      message: "It was removed, or is another user's. Your own are on the page of your account.",
    });
  }
  return passkey;
}

async function addPage(
  visit: SignedInVisit,
  deps: PageDeps,
  { name = "", faults }: { name?: string; faults?: Faults } = {},
): Promise<PageContent> {
  if (!deps.ceremonies.isAvailable) {
    throw new Refusal(404, {
      title: "Passkeys cannot be used here",
      message: "Browsers support passkeys for host names only, and this address has none. Continue with your password.",
    });
  }
  const options = await deps.ceremonies.askToAdd(visit.browser, await userOf(visit, deps));
  const field: Field = {
    ...{ name: "name", label: "Name of the passkey", value: name, autocomplete: "off", isFirst: true },
    ...{ hint: "Such as the device that it is on.", pattern: namePattern },
  };
  const form = { action: "/account/passkeys/add", csrf: visit.csrf, hidden: { credential: "" }, faults };
  return page({
    title: "Add a passkey",
    status: faults ? 422 : 200,
    scripts: ["webauthn.js", "passkeys.js"],
    body: html`<p>A passkey signs you in with the lock of your device, without a password.</p>
      <noscript><p class="faults">Passkeys need a browser with JavaScript switched on.</p></noscript>
      <div data-passkey="add" data-options="${options}" hidden>
        <div class="faults" role="alert" hidden></div>
        ${renderForm({ ...form, fields: [field], buttons: ["Add passkey"] })}
      </div>
      <p class="faults" data-passkey="missing" hidden>
        This browser has no passkeys. Use another one, or continue with your password.
      </p>
      ${backToAccount}`,
  });
}

function changePage(visit: SignedInVisit, passkey: Passkey, name: string, problem?: FormProblem): PageContent {
  const { csrf } = visit;
  const action = `/account/passkeys/${passkey.id}`;
  const form = {
    title: `Passkey ${passkey.name}`,
    action,
    fields: [{ name: "name", label: "Name", value: name, autocomplete: "off", isFirst: true }],
    buttons: ["Rename"],
    after: html`<h2>Remove</h2>
      <p>It will no longer sign you in. Delete it on your device too.</p>
      ${renderForm({ action: `${action}/remove`, csrf, buttons: [{ label: "Remove passkey", kind: "danger" }] })}
      ${backToAccount}`,
  };
  return formPage(visit, form, problem);
}
