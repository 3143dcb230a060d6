import { showHiddenCharacters } from "@gateway/engine/hidden-characters";
import type { Membership } from "@gateway/platform/accounts";
import { html, type Html } from "./html.ts";

/** What somebody else has called their application stands in quotes: it may be written to read like words of ours. */
export function quoteName(name: string): string {
  return `“${showHiddenCharacters(name)}”`;
}

/** The same among markup, where a text from right to left does not turn what is around it. */
export function renderStrangersName(name: string): Html {
  return html`<strong><bdi>${quoteName(name)}</bdi></strong>`;
}

/** The address is the one that an account is reached at, so it stands beside any other name. */
export function renderAccountName({
  accountName,
  accountEmail,
}: Pick<Membership, "accountName" | "accountEmail">): Html {
  return accountName === accountEmail
    ? html`${accountEmail}`
    : html`<bdi>${showHiddenCharacters(accountName)}</bdi> (${accountEmail})`;
}
