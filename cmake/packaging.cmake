# What is installed, and the packages that `./dev package` makes of it.
set(papers ${CMAKE_BINARY_DIR}/papers)
set(packaging ${CMAKE_SOURCE_DIR}/packaging)
string(TIMESTAMP release_day "%Y-%m-%d" UTC)  # SOURCE_DATE_EPOCH's, where it is set
string(TIMESTAMP release_time "%a, %d %b %Y %H:%M:%S +0000" UTC)
set(maintainer "Vitrine maintainers <maintainers@users.noreply.a-seed-ab143048.example>")
set(deb_version ${PROJECT_VERSION})
if(EXISTS /etc/debian_version AND EXISTS /etc/os-release)
    file(STRINGS /etc/os-release release REGEX "^VERSION_ID=")
    string(REGEX REPLACE "[^0-9.]" "" release "${release}")
    string(APPEND deb_version "~deb${release}")  # 12, 13: what it depends on differs, and 13's is the newer one
endif()

# The manual page, the completion and the list of media types are the program's own words.
configure_file(${packaging}/vitrine.metainfo.xml.in ${papers}/vitrine.metainfo.xml @ONLY)
file(CONFIGURE OUTPUT ${papers}/changelog CONTENT "vitrine (${deb_version}) unstable; urgency=medium\n\n  * What has changed is told in CHANGELOG.md.gz.\n\n -- ${maintainer}  ${release_time}\n")
add_custom_command(OUTPUT ${papers}/vitrine.1.gz ${papers}/vitrine.bash ${papers}/vitrine.desktop
    COMMAND vitrine paper man > ${papers}/vitrine.1
    COMMAND vitrine paper bash > ${papers}/vitrine.bash
    COMMAND gzip -9nf ${papers}/vitrine.1
    COMMAND ${CMAKE_COMMAND} -E cat ${packaging}/vitrine.desktop.in > ${papers}/vitrine.desktop
    COMMAND vitrine paper types >> ${papers}/vitrine.desktop
    DEPENDS vitrine ${packaging}/vitrine.desktop.in COMMENT "Writing the manual page, the completion and the .desktop file" VERBATIM)
add_custom_command(OUTPUT ${papers}/changelog.gz ${papers}/CHANGELOG.md.gz
    COMMAND gzip -9nc ${papers}/changelog > ${papers}/changelog.gz
    COMMAND gzip -9nc ${CMAKE_SOURCE_DIR}/CHANGELOG.md > ${papers}/CHANGELOG.md.gz
    DEPENDS ${papers}/changelog ${CMAKE_SOURCE_DIR}/CHANGELOG.md VERBATIM)
add_custom_target(papers ALL DEPENDS ${papers}/vitrine.1.gz ${papers}/vitrine.bash ${papers}/vitrine.desktop ${papers}/changelog.gz ${papers}/CHANGELOG.md.gz)

set(CMAKE_SKIP_INSTALL_ALL_DEPENDENCY ON)  # what is installed has been built; tests are not waited for
set(CMAKE_INSTALL_DEFAULT_DIRECTORY_PERMISSIONS OWNER_READ OWNER_WRITE OWNER_EXECUTE GROUP_READ GROUP_EXECUTE WORLD_READ WORLD_EXECUTE)
install(TARGETS vitrine RUNTIME DESTINATION bin)
install(FILES ${papers}/vitrine.desktop DESTINATION share/applications)
install(FILES ${packaging}/vitrine.xml DESTINATION share/mime/packages)
install(FILES ${papers}/vitrine.metainfo.xml DESTINATION share/metainfo)
install(FILES ${CMAKE_SOURCE_DIR}/assets/icon/vitrine.svg DESTINATION share/icons/hicolor/scalable/apps)
foreach(size IN ITEMS 16 24 32 48 64 128 256)
    install(FILES ${CMAKE_SOURCE_DIR}/assets/icon/vitrine-${size}.png DESTINATION share/icons/hicolor/${size}x${size}/apps RENAME vitrine.png)
endforeach()
install(FILES ${papers}/vitrine.1.gz DESTINATION share/man/man1)
install(FILES ${papers}/vitrine.bash DESTINATION share/bash-completion/completions RENAME vitrine)
install(FILES ${packaging}/copyright ${papers}/changelog.gz ${papers}/CHANGELOG.md.gz DESTINATION share/doc/vitrine)

# The program of the portable folder: it looks for its libraries beside itself, and they for theirs.
add_executable(vitrine_portable EXCLUDE_FROM_ALL app/main.cpp)
target_link_libraries(vitrine_portable PRIVATE vitrine_app vitrine_sanitizer)
target_link_options(vitrine_portable PRIVATE LINKER:--disable-new-dtags)
set_target_properties(vitrine_portable PROPERTIES OUTPUT_NAME vitrine RUNTIME_OUTPUT_DIRECTORY ${CMAKE_BINARY_DIR}/portable
    BUILD_WITH_INSTALL_RPATH ON INSTALL_RPATH "$ORIGIN/../lib")

set(CPACK_GENERATOR DEB)
set(CPACK_PACKAGE_NAME vitrine)
set(CPACK_PACKAGE_CONTACT "${maintainer}")
set(CPACK_PACKAGE_DESCRIPTION_SUMMARY "Shows how a Vision Transformer works")
set(CPACK_PACKAGE_DESCRIPTION_FILE ${packaging}/description.txt)
set(CPACK_PACKAGING_INSTALL_PREFIX /usr)
set(CPACK_INSTALL_DEFAULT_DIRECTORY_PERMISSIONS ${CMAKE_INSTALL_DEFAULT_DIRECTORY_PERMISSIONS})
set(CPACK_STRIP_FILES ON)
set(CPACK_DEBIAN_COMPRESSION_TYPE xz)
set(CPACK_DEBIAN_FILE_NAME DEB-DEFAULT)
set(CPACK_DEBIAN_PACKAGE_VERSION ${deb_version})
set(CPACK_DEBIAN_PACKAGE_SECTION science)
set(CPACK_DEBIAN_PACKAGE_SHLIBDEPS ON)
set(CPACK_DEBIAN_PACKAGE_DEPENDS "libgl1, libgl1-mesa-dri, libcurl4 | libcurl4t64 | libcurl3-gnutls, ca-certificates")  # what is loaded at run time
foreach(library IN ITEMS libavformat libswscale)  # videos, by the libraries whose headers are read; their packages are named by their major versions
    string(REGEX MATCH "^[0-9]+" major "${FFMPEG_${library}_VERSION}")
    list(APPEND videos ${library}${major})
endforeach()
list(JOIN videos ", " videos)
set(CPACK_DEBIAN_PACKAGE_RECOMMENDS "desktop-file-utils, hicolor-icon-theme, shared-mime-info, xclip | wl-clipboard, libtiff6, libheif1, ${videos}")  # menus, icons, types of files, pictures on the clipboard, TIFF, HEIC and AVIF
include(CPack)
