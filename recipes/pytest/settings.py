from kubernetes import client


def set_color(core: client.CoreV1Api, color: str) -> None:
    """Changes the color. If another client writes at the same time, tries again, up to five times."""
    for attempt in range(5):
        settings = core.read_namespaced_config_map("settings", "default")
        settings.data = {"color": color}
        try:
            core.replace_namespaced_config_map("settings", "default", settings)
            return
        except client.ApiException as error:
            if error.status != 409 or attempt == 4:
                raise
