import { describeReads } from "./describe-reads.ts";
import { statisticsNames } from "./statistics.ts";

describeReads({ statistics: statisticsNames, modes: ["force_generic_plan", "force_custom_plan"] });
