import { listSetting } from "@gateway/kernel";
import { compile } from "proxy-addr";

/** The proxies that may state a client's address, for every program that counts by address. */
export const trustedProxiesSetting = listSetting({
  description: "Addresses or networks of proxies whose `X-Forwarded-For` is trusted, separated by commas",
  default: "none is trusted",
  entry: "IP addresses or networks (10.0.0.0/8, and none as wide as /0)",
  isValid: isTaken,
});

/** Uses Express's parser, which will read the entry at the first request. */
function isTaken(entry: string): boolean {
  try {
    compile([entry]);
    return true;
  } catch {
    return false;
  }
}
