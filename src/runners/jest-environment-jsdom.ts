import { TestEnvironment as JsdomEnvironment } from "jest-environment-jsdom";
import { EnvironmentClusters, type TestEvent } from "./environment-clusters.ts";
import { addWebGlobals } from "./web-globals.ts";

type Configuration = ConstructorParameters<typeof JsdomEnvironment>;

/**
 * Jest's environment for jsdom, with the globals of the Web that jsdom lacks, such as `fetch`, and a cluster for each test as in
 * `kubedouble/jest/environment`. Packages are resolved without the condition `browser`, because tests run in Node;
 * `testEnvironmentOptions: { customExportConditions }` changes that.
 */
// biome-ignore lint/style/noDefaultExport: Jest creates an instance of the default export
export default class JsdomClusterEnvironment extends JsdomEnvironment {
  // No condition: a list without any element would not replace the default of Jest 29.
  override customExportConditions: string[] = [""];
  readonly #clusters: EnvironmentClusters;

  constructor(...[config, context]: Configuration) {
    super(config, context);
    addWebGlobals(this.global);
    this.#clusters = new EnvironmentClusters(config, this.global);
  }

  /** Called by Jest, which waits for it. */
  async handleTestEvent(event: TestEvent): Promise<void> {
    await this.#clusters.handle(event);
  }
}
