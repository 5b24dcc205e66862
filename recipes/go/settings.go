// Package settings changes the settings of an application in a cluster.
package settings

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
)

const path = "/api/v1/namespaces/default/configmaps/settings"

// Cluster is a server and the token to use there.
type Cluster struct{ URL, Token string }

// SetColor changes the color. If another client writes at the same time, it tries again, up to five times.
func (c Cluster) SetColor(color string) error {
	for try := 0; try < 5; try++ {
		settings := map[string]interface{}{}
		if _, err := c.call("GET", nil, &settings); err != nil {
			return err
		}
		settings["data"] = map[string]string{"color": color}
		status, err := c.call("PUT", settings, nil)
		if status != http.StatusConflict {
			return err
		}
	}
	return fmt.Errorf("other clients have changed %s five times", path)
}

func (c Cluster) call(method string, body, result interface{}) (int, error) {
	sent, err := json.Marshal(body)
	if err != nil {
		return 0, err
	}
	request, err := http.NewRequest(method, c.URL+path, bytes.NewReader(sent))
	if err != nil {
		return 0, err
	}
	request.Header.Set("Authorization", "Bearer "+c.Token)
	request.Header.Set("Content-Type", "application/json")
	response, err := http.DefaultClient.Do(request)
	if err != nil {
		return 0, err
	}
	defer response.Body.Close()
	text, err := io.ReadAll(response.Body)
	if err != nil {
		return 0, err
	}
	if response.StatusCode != http.StatusOK {
		return response.StatusCode, fmt.Errorf("%s %s: %s: %s", method, path, response.Status, text)
	}
	if result == nil {
		return response.StatusCode, nil
	}
	return response.StatusCode, json.Unmarshal(text, result)
}
