import { hasKey } from "@gateway/kernel";
import type { Visit } from "./page.ts";

/** Sentences by the name in the address. A page never shows text of the address itself. */
const notices = {
  "signed-out": "You are signed out in this browser.",
  "device-signed-out": "That device is signed out.",
  "others-signed-out": "All other devices are signed out.",
  "application-disconnected": "The application is disconnected. It can no longer act for you.",
  "password-changed": "Your password is changed, and all other devices are signed out.",
  "name-changed": "Your name is changed.",
  "email-changed": "Your e-mail address is changed, and all other devices are signed out.",
  "passkey-added": "The passkey is added. You can sign in with it from now on.",
  "passkey-renamed": "The passkey has its new name.",
  "passkey-removed": "The passkey is removed. It no longer signs you in.",
  "authenticator-removed": "The authenticator app is removed. Your password alone signs you in.",
  "account-rules-saved": "The rules for owners are saved.",
  joined: "You are a member of the account now.",
  "account-closed": "The account is closed. It can no longer be opened.",
  welcome: "Welcome. Your account is ready.",
} as const;

export type PageNotice = keyof typeof notices;

export function withNotice(path: string, notice: PageNotice): string {
  return `${path}?notice=${notice}`;
}

export function noticeOf({ query }: Pick<Visit, "query">): string | undefined {
  const name = query.get("notice") ?? "";
  return hasKey(notices, name) ? notices[name] : undefined;
}
