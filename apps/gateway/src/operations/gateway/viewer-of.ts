import { consoleApplication, type Viewer } from "@gateway/platform";
import type { Principal } from "../../pipeline/call.ts";

/** An application was let in to act for a person, not to read what others do; the console stands for its person. */
export function viewerOf({ accountId, credential }: Principal): Viewer {
  const isApplication = credential.kind === "accessToken" && credential.applicationId !== consoleApplication.id;
  return { accountId, onlyOf: isApplication ? credential.applicationId : null };
}
