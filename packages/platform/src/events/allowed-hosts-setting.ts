import { listSetting } from "@gateway/kernel";
import { hostOf } from "@gateway/engine/public-host";

/** WEBHOOK_ALLOWED_HOSTS: the same for the process that registers webhooks and for the one that sends to them. */
export const webhookAllowedHostsSetting = listSetting({
  description: "Sandbox only: private hosts that webhooks may name, separated by commas, without ports",
  default: "none",
  entry: "hosts as a URL spells them in lower case (localhost, 10.0.0.1, ::1), without ports",
  isValid: isHostAsDialled,
});

/** A webhook of production that reaches into the network of its servers is the attack that the rules are for. */
export function checkWebhookAllowedHosts(read: {
  LIVEMODE?: boolean | undefined;
  WEBHOOK_ALLOWED_HOSTS?: readonly string[] | undefined;
}): string[] {
  return read.LIVEMODE === true && read.WEBHOOK_ALLOWED_HOSTS !== undefined && read.WEBHOOK_ALLOWED_HOSTS.length > 0
    ? ["WEBHOOK_ALLOWED_HOSTS is for the sandbox; production (LIVEMODE=true) delivers to public hosts only"]
    : [];
}

/** Any other spelling (127.1, [::1], a port) would be compared with the parser's and allow nothing, silently. */
function isHostAsDialled(entry: string): boolean {
  const url = `https://${entry.includes(":") ? `[${entry}]` : entry}`;
  return /^[a-z0-9._:-]+$/.test(entry) && URL.canParse(url) && hostOf(new URL(url)) === entry;
}
