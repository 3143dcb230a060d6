import { describeAccess } from "../support/describe-access.ts";
import { describeRefusals } from "../support/describe-refusals.ts";

describeAccess("gateway");
describeRefusals("gateway");
