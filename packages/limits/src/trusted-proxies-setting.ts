import { listSetting } from "@gateway/kernel";
import { compile } from "proxy-addr";

/** For every program that counts by the client's address: who may say what that is. */
export const trustedProxiesSetting = listSetting({
  description: "Addresses or networks of proxies whose `X-Forwarded-For` is trusted, separated by commas",
  default: "none is trusted",
  entry: "IP addresses or networks (10.0.0.0/8, and none as wide as /0)",
  isValid: isTaken,
});

/** By the parser that will read it at the first request: Express's. */
function isTaken(entry: string): boolean {
  try {
    compile([entry]);
    return true;
  } catch {
    return false;
  }
}
