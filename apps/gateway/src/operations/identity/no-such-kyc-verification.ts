import { Problem } from "@gateway/contract";

export function noSuchKycVerification(): Problem {
  return new Problem("NOT_FOUND", "There is no identity verification with this id in this account.");
}
