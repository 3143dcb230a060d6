import { describeAccess } from "../support/describe-access.ts";
import { describeRefusals } from "../support/describe-refusals.ts";

describeAccess("identity");
describeRefusals("identity");
