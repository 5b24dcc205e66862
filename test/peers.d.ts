// Peers are installed under a name for each version they are tested with; sources import them by their own.
declare module "msw" {
  export * from "msw-3";
}
declare module "nock" {
  import nock from "nock-15";
  export default nock;
}
