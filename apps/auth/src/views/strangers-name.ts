import { showHiddenCharacters } from "@gateway/engine/hidden-characters";
import type { Membership } from "@gateway/platform/accounts";
import { html, type Html } from "./html.ts";

/** Quotes an application's name, because its owner may choose a name that reads like our own text. */
export function quoteName(name: string): string {
  return `“${showHiddenCharacters(name)}”`;
}

/** The same as markup, in which a right-to-left name does not reverse its surroundings. */
export function renderStrangersName(name: string): Html {
  return html`<strong><bdi>${quoteName(name)}</bdi></strong>`;
}

/** An account's name and contact address. The address is always shown, because the name can be chosen freely. */
export function renderAccountName({
  accountName,
  accountEmail,
}: Pick<Membership, "accountName" | "accountEmail">): Html {
  return accountName === accountEmail
    ? html`${accountEmail}`
    : html`<bdi>${showHiddenCharacters(accountName)}</bdi> (${accountEmail})`;
}
