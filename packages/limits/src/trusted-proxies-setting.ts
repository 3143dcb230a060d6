import { listSetting } from "@gateway/kernel";
import ipaddr from "ipaddr.js";

/** For every program that counts by the client's address: who may say what that is. */
export const trustedProxiesSetting = listSetting({
  description: "Addresses or networks of the proxies in front whose `X-Forwarded-For` is believed, separated by commas",
  default: "none is believed",
  entry: "IP addresses or networks (10.0.0.0/8)",
  isValid: (entry) => ipaddr.isValid(entry) || ipaddr.isValidCIDR(entry),
});
