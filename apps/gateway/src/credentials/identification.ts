import type { Problem } from "@gateway/contract";
import type { CredentialHolder, Principal } from "../pipeline/call.ts";

/** The principal of a credential, or the refusal of the credential, with its holder when the holder is known. */
export type Identification = Principal | Problem | { refusal: Problem; holder: CredentialHolder };
