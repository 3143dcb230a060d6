import { lazyPart } from "../parts/page/lazy-part.tsx";
import { Waiting } from "../parts/shown/states.tsx";

/** The chart, fetched where one is shown. Its box has the final height before. */
export const LazyBarChart = lazyPart(
  () => import("./bar-chart.tsx"),
  "BarChart",
  ({ hasAxes }) => <Waiting className={hasAxes ? "chart" : "chart strip"} />,
);
