import { lazyPart } from "../parts/page/lazy-part.tsx";
import { Waiting } from "../parts/shown/states.tsx";

/** The chart, loaded when a page shows it. Its placeholder already has the final height. */
export const LazyBarChart = lazyPart(
  () => import("./bar-chart.tsx"),
  "BarChart",
  ({ hasAxes }) => <Waiting className={hasAxes ? "chart" : "chart strip"} />,
);
