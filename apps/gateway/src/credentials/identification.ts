import type { Problem } from "@gateway/contract";
import type { CredentialHolder, Principal } from "../pipeline/call.ts";

/** Who a credential says that somebody is; or what is wrong with it, and whose it is, where that is known. */
export type Identification = Principal | Problem | { refusal: Problem; holder: CredentialHolder };
